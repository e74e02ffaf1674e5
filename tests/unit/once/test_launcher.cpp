// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>

#include "io/mpi/launcher.hpp"

namespace rivulet::io {
namespace {

using Variables = std::map<std::string, std::string>;

std::string said_by(const Variables& variables) {
  return launched_with_others([&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

TEST(Launcher, TellsSeveralProcessesByTheVariablesOfEach) {
  EXPECT_EQ(said_by({{"OMPI_COMM_WORLD_SIZE", "4"}}), "OMPI_COMM_WORLD_SIZE=4");
  EXPECT_EQ(said_by({{"PMI_SIZE", "8"}, {"PMI_RANK", "0"}}), "PMI_SIZE=8");
  EXPECT_EQ(said_by({{"PMIX_RANK", "3"}}), "PMIX_RANK=3");
  EXPECT_EQ(said_by({{"FLUX_JOB_SIZE", "4"}, {"FLUX_TASK_RANK", "2"}}), "FLUX_JOB_SIZE=4");
  EXPECT_EQ(said_by({{"MV2_COMM_WORLD_SIZE", "4"}}), "MV2_COMM_WORLD_SIZE=4");
  EXPECT_EQ(said_by({{"JSM_NAMESPACE_SIZE", "6"}}), "JSM_NAMESPACE_SIZE=6");
  EXPECT_EQ(said_by({{"PALS_RANKID", "1"}}), "PALS_RANKID=1");
  EXPECT_EQ(said_by({{"SLURM_STEP_ID", "0"}, {"SLURM_NTASKS", "8"}}), "SLURM_NTASKS=8");
  EXPECT_EQ(said_by({{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_NTASKS", "8"}}),
            "SLURM_STEP_NUM_TASKS=2");
  EXPECT_EQ(said_by({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "5"}}), "SLURM_PROCID=5");
}

TEST(Launcher, BatchScriptsAndShellsAreNoTasks) {
  const Variables script{{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}};
  EXPECT_EQ(said_by({}), "");
  EXPECT_EQ(said_by(script), "");
  Variables batch_step = script;
  batch_step["SLURM_STEP_ID"] = "4294967291";
  EXPECT_EQ(said_by(batch_step), "");
  Variables shell = script;
  shell["SLURM_STEP_ID"] = "0";
  EXPECT_NE(said_by(shell), "");
  shell["SLURM_PTY_PORT"] = "1234";
  EXPECT_EQ(said_by(shell), "");
}

TEST(Launcher, TheInnermostCounts) {
  const Variables step{{"SLURM_STEP_ID", "0"}, {"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "1"}};
  Variables alone = step;  // mpiexec -n 1 with daemons that were started by srun
  alone["OMPI_COMM_WORLD_SIZE"] = "1";
  EXPECT_EQ(said_by(alone), "");
  Variables single = step;
  single["SLURM_PROCID"] = "0";
  single["SLURM_STEP_NUM_TASKS"] = "1";
  EXPECT_EQ(said_by(single), "");
  EXPECT_EQ(said_by({{"PMI_SIZE", "1"}, {"FLUX_JOB_SIZE", "4"}, {"FLUX_TASK_RANK", "2"}}), "");
}

TEST(Launcher, WhatIsNoNumberSaysNothing) {
  EXPECT_EQ(said_by({{"OMPI_COMM_WORLD_SIZE", "4x"}, {"PMI_SIZE", ""}}), "");
}

bool starts_alone(const Variables& variables) {
  return !singleton_variables([&](const std::string& name) -> std::optional<std::string> {
            const auto found = variables.find(name);
            if (found == variables.end()) return std::nullopt;
            return found->second;
          }).empty();
}

TEST(Launcher, OneProcessIsAloneUnlessALauncherOfAnMpiStartedIt) {
  EXPECT_TRUE(starts_alone({}));
  EXPECT_TRUE(starts_alone({{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}));
  EXPECT_FALSE(starts_alone({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}}));
  EXPECT_FALSE(starts_alone({{"PMIX_RANK", "0"}}));
  EXPECT_FALSE(starts_alone({{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}}));
  EXPECT_FALSE(starts_alone({{"FLUX_TASK_RANK", "0"}, {"FLUX_JOB_SIZE", "1"}}));
  EXPECT_FALSE(
      starts_alone({{"SLURM_STEP_ID", "0"}, {"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "1"}}));
}

}  // namespace
}  // namespace rivulet::io
