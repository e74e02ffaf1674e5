// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Distributions for kernels and for the host: `const double x = Normal<double>(5, 2)(rng);`. A
// distribution is a small value that draws from an engine: a stream, or an engine of the standard
// library. The engine's numbers must be uniform in 0 .. 2^b - 1 with b = 24, 32, 48 or 64. The
// same engine numbers give bitwise equal results with any compiler, on CPUs and GPUs, with or
// without fused multiply-adds. Only -ffast-math and similar flags change results. Parameters out of
// range abort the program in builds with assertions (detail/assert.hpp). The constructors' comments
// say what other builds return.

#include "rivulet/distributions/below.hpp"
#include "rivulet/distributions/bernoulli.hpp"
#include "rivulet/distributions/binomial.hpp"
#include "rivulet/distributions/cauchy.hpp"
#include "rivulet/distributions/discrete.hpp"
#include "rivulet/distributions/exponential.hpp"
#include "rivulet/distributions/gamma.hpp"
#include "rivulet/distributions/log_normal.hpp"
#include "rivulet/distributions/normal.hpp"
#include "rivulet/distributions/poisson.hpp"
#include "rivulet/distributions/uniform.hpp"
#include "rivulet/distributions/unit_vector.hpp"
