// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io_test_support.hpp"
#include "machine/kokkos_start.hpp"

namespace rivulet {
namespace {

using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Backends on_threads{"", "OpenMP", true};
const Backends on_one_thread{"", "Serial", false};
const Backends on_gpu{"Cuda", "OpenMP", true};
const Backends on_gpu_and_one_thread{"Cuda", "Serial", false};
const std::string nothing = "nothing was thrown";

std::string backends_refusal(const std::string& option, const Backends& backends) {
  return message_of([&] { check_backends({"--kokkos-tools-help", option}, backends); });
}

std::string devices_refusal(const std::string& option, const Devices& devices) {
  return message_of([&] { check_devices({option}, on_gpu, devices); });
}

TEST(KokkosStart, RefusesDevicesWhereThereIsNoDeviceBackend) {
  EXPECT_EQ(backends_refusal("--kokkos-device-id=0", on_threads),
            "--kokkos-device-id=0 asks for a device (this build runs on the host only, with "
            "OpenMP). Omit it, or build for a GPU: `spack install rivulet +cuda cuda_arch=90`, "
            "`+rocm amdgpu_target=gfx90a`, or `cmake --preset cuda` (docs/install.md).");
  for (const std::string option :
       {"--kokkos-device=1", "--kokkos-num-devices=2", "--kokkos-num-devices=2,1",
        "--kokkos-ndevices=2", "--kokkos-map-device-id-by=mpi_rank"}) {
    EXPECT_THAT(backends_refusal(option, on_one_thread), testing::StartsWith(option + " asks"));
    EXPECT_EQ(backends_refusal(option, on_gpu), nothing);
  }
}

TEST(KokkosStart, RefusesThreadsWhereThereIsOne) {
  EXPECT_EQ(backends_refusal("--kokkos-num-threads=4", on_one_thread),
            "--kokkos-num-threads=4 asks for threads (on the host this build runs with Serial, on "
            "one thread per rank). Omit it, start more ranks, or build with OpenMP: `spack "
            "install rivulet +openmp` or `cmake --preset openmp` (docs/install.md).");
  for (const std::string name : {"--kokkos-threads=", "--kokkos-num-threads="}) {
    EXPECT_NE(backends_refusal(name + "2", on_gpu_and_one_thread), nothing);
    EXPECT_EQ(backends_refusal(name + "1", on_one_thread), nothing);
    EXPECT_EQ(backends_refusal(name + "4", on_threads), nothing);
    EXPECT_EQ(backends_refusal(name + "four", on_threads),
              name +
                  "four is invalid (Kokkos expects a whole number). Give a whole number, or "
                  "omit it.");
  }
}

TEST(KokkosStart, RefusesMoreThreadsThanKokkosHasRoomFor) {
  const auto refusal = [](const std::vector<std::string>& arguments, int openmp) {
    return message_of([&] { check_threads(arguments, openmp); });
  };
  EXPECT_EQ(refusal({}, 512), nothing);
  EXPECT_EQ(refusal({"--kokkos-threads=512"}, 513), nothing);
  EXPECT_EQ(refusal({}, 513),
            "513 threads are too many (Kokkos runs at most 512 OpenMP threads a process). Start "
            "more ranks with fewer threads each: set OMP_NUM_THREADS.");
  EXPECT_THAT(
      refusal({"--kokkos-threads=513"}, 1),
      AllOf(HasSubstr("--kokkos-threads=513 is invalid"), HasSubstr("Give it a smaller number")));
  EXPECT_THAT(refusal({"KOKKOS_NUM_THREADS=99999999999"}, 1), HasSubstr("is invalid"));
}

TEST(KokkosStart, TellsWhatIsMissingWithoutADevice) {
  EXPECT_EQ(devices_refusal("", {0, "no CUDA-capable device is detected"}),
            "there is no device to run on (this build's kernels run on Cuda: no CUDA-capable "
            "device is detected). Start Rivulet on a node with a GPU (with Slurm: "
            "--gpus-per-node=1), or use a build for CPUs.");
}

TEST(KokkosStart, RefusesDevicesThatAreNotThere) {
  EXPECT_EQ(
      devices_refusal("--kokkos-device-id=2", {2, ""}),
      "--kokkos-device-id=2 names no device (there are 2, numbers 0 to 1). Give one of these, "
      "or omit it: ranks take devices in turn.");
  EXPECT_EQ(devices_refusal("KOKKOS_DEVICE_ID=1", {1, ""}),
            "KOKKOS_DEVICE_ID=1 names no device (there is one, number 0). Give one of these, or "
            "omit it: ranks take devices in turn.");
  EXPECT_EQ(devices_refusal("--kokkos-device-id=1", {2, ""}), nothing);
  const auto refusal_with_two_visible = [](const char* option) {
    return message_of([&] {
      check_devices({option, "KOKKOS_VISIBLE_DEVICES=3,1"}, on_gpu, {4, ""});
    });
  };
  EXPECT_EQ(refusal_with_two_visible("--kokkos-device-id=1"), nothing);
  EXPECT_NE(refusal_with_two_visible("--kokkos-device-id=2"), nothing);
}

TEST(KokkosStart, RefusesWaysToChooseADeviceThatAreNone) {
  EXPECT_EQ(devices_refusal("--kokkos-map-device-id-by=rank", {2, ""}),
            "--kokkos-map-device-id-by=rank is invalid (Kokkos has no such way to choose a "
            "device). Give mpi_rank or random, or omit it.");
  EXPECT_EQ(devices_refusal("KOKKOS_MAP_DEVICE_ID_BY=random", {2, ""}), nothing);
  EXPECT_EQ(devices_refusal("--kokkos-map-device-id-by=mpi_rank", {2, ""}), nothing);
}

TEST(KokkosStart, RanksOfANodeTakeDevicesInTurn) {
  EXPECT_THAT(round_robin_device({}, {5, 8}, {4, ""}), ElementsAre("--kokkos-device-id=1"));
  EXPECT_THAT(round_robin_device({"--kokkos-tune-internals"}, {3, 4}, {4, ""}),
              ElementsAre("--kokkos-device-id=3"));
  EXPECT_THAT(round_robin_device({}, {0, 1}, {4, ""}), IsEmpty()) << "a rank alone";
  EXPECT_THAT(round_robin_device({}, {1, 2}, {1, ""}), IsEmpty()) << "each rank sees its own";
  for (const std::string chosen :
       {"--kokkos-device-id=0", "--kokkos-map-device-id-by=random", "KOKKOS_VISIBLE_DEVICES=2"}) {
    EXPECT_THAT(round_robin_device({chosen}, {1, 2}, {4, ""}), IsEmpty()) << chosen;
  }
}

TEST(KokkosStart, WarnsOfSharedDevicesAndCores) {
  const std::string a = "uuid a";
  const std::string b = "uuid b";
  EXPECT_EQ(sharing_warning(device_resource, {"n1", "n1", "n1", "n1"}, {a, b, a, b}),
            "4 ranks share 2 devices (on n1). Start as many ranks per node as it has devices; "
            "results are the same.");
  EXPECT_EQ(sharing_warning(device_resource, {"n1", "n1", "n2", "n2"}, {a, b, a, a}),
            "2 ranks share 1 device (on n2, and possibly on other nodes). Start as many ranks per "
            "node as it has devices; results are the same.");
  EXPECT_EQ(sharing_warning(device_resource, {"n1", "n1", "n2", "n2"}, {a, b, a, b}), "");
  EXPECT_EQ(sharing_warning(device_resource, {"n1", "n1"}, {"", ""}), "")
      << "kernels run on the host";
  EXPECT_EQ(
      sharing_warning(core_resource, {"n1", "n1", "n1"}, {"0,4", "0,4", "0,4"}),
      "3 ranks share 2 cores (on n1). Let the launcher bind each rank to cores of its own, or "
      "unset OMP_PROC_BIND; results are the same.");
  EXPECT_EQ(sharing_warning(core_resource, {"n1", "n1"}, {"0,1,2", "0,1,2"}), "");
}

TEST(KokkosStart, ListsBackends) {
  EXPECT_EQ(list_of(on_threads), "  OpenMP     all kernels, on the host's threads\n");
  EXPECT_EQ(list_of(on_gpu_and_one_thread),
            "  Cuda       all kernels, on one GPU per rank\n"
            "  Serial     the host's part, on one thread per rank\n");
}

TEST(KokkosStart, KnowsItsOwnBackends) {
  EXPECT_EQ(backends().device.empty(), !visible_devices().has_value());
  EXPECT_EQ(backends().device.empty(), name_of_device().empty());
}

}  // namespace
}  // namespace rivulet
