# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Completion for bash: the program says what may follow, and bash adds files.
_rivulet() {
  local line=${COMP_LINE:0:COMP_POINT} word
  word=${line##*[[:space:]]}
  local -a before
  read -r -a before <<< "${line%"$word"}"
  mapfile -t COMPREPLY < <("${before[0]}" --complete "${before[@]:1}" "$word" 2> /dev/null)
  if [[ ${COMPREPLY[0]-} == *= ]]; then compopt -o nospace; fi
  # Bash takes what is behind a `=` for a word of its own.
  if [[ $word == *=* && $COMP_WORDBREAKS == *=* ]]; then COMPREPLY=("${COMPREPLY[@]#*=}"); fi
}
complete -o default -F _rivulet rivulet
