# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Completion for fish: the program says what may follow, and fish adds files.
function __rivulet_complete
    set -l before (commandline -opc)
    $before[1] --complete $before[2..-1] (commandline -ct) 2>/dev/null
end
complete -c rivulet -a '(__rivulet_complete)'
