// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace rivulet::io {

// `shown` is a file's name in messages: that which it is to have, where `path` is a temporary one.

/// Which file has a name, and in which state; nothing where there is none. Follows no link.
using FileIdentity = std::optional<std::array<std::int64_t, 5>>;
FileIdentity identity_of(const std::string& path);

/// Claims `bytes` beyond the end of a file, without making it longer, so that a full disk, a quota
/// or a limit on file sizes shows before anything is written. Throws Error with the system's
/// reason. Where the file system cannot claim space, looks whether there is enough.
void reserve_space(const std::string& path, const std::string& shown, std::uint64_t bytes);

/// Gives claimed space back and makes sure that the file is on the disk.
void settle_file(const std::string& path, const std::string& shown);
/// Makes sure that the name of a file is on the disk.
void settle_folder_of(const std::string& path, const std::string& shown);

/// Makes sure that what was written to a file so far is on the disk, and keeps claimed space.
void flush_file(const std::string& path, const std::string& shown);
/// Begins to bring it there, and waits for what was begun before: so a flush takes no longer than
/// what was written since then, where the system can do so.
void begin_flush(const std::string& path, const std::string& shown);

/// The Error for a file that cannot be written, with advice that fits errno's value `code`.
[[noreturn]] void throw_cannot_write(const std::string& path, int code);
/// Likewise for a reason in words.
[[noreturn]] void throw_cannot_write(const std::string& path, const std::string& reason);

}  // namespace rivulet::io
