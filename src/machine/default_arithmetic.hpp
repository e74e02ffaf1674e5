// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cfenv>

namespace rivulet {

/// Sets the thread's floating-point environment to the default (round to nearest, subnormals, no
/// traps) until end() or destruction. The program that calls Rivulet may have changed the
/// environment.
class DefaultArithmetic {
 public:
  DefaultArithmetic() noexcept { begin(); }
  ~DefaultArithmetic() { end(); }
  DefaultArithmetic(const DefaultArithmetic&) = delete;
  DefaultArithmetic& operator=(const DefaultArithmetic&) = delete;

  void begin() noexcept {
#if defined(__x86_64__)
    if ((__builtin_ia32_stmxcsr() & ~0x3fU) == 0x1f80)
      return;  // default except for exception flags
#endif
    is_changed_ = std::fegetenv(&caller_environment_) == 0 && std::fesetenv(FE_DFL_ENV) == 0;
  }
  void end() noexcept {
    if (is_changed_) std::fesetenv(&caller_environment_);
    is_changed_ = false;
  }

 private:
  std::fenv_t caller_environment_{};
  bool is_changed_ = false;
};

}  // namespace rivulet
