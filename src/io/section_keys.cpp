// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/section_keys.hpp"

#include <cstddef>
#include <cstdint>

namespace rivulet::io {
namespace {

class KeyCollector : public Binder {
 public:
  SectionKeys keys;

 protected:
  void visit(const Entry& entry, std::uint64_t&, Range<std::uint64_t>) override { number(entry); }
  void visit(const Entry& entry, double&, Range<double>) override { number(entry); }
  void visit(const Entry& entry, bool&) override { other(entry); }
  void visit(const Entry& entry, std::string&) override { other(entry); }
  void visit_bytes(const Entry& entry, std::uint64_t&, Range<std::uint64_t>) override {
    number(entry);
  }
  void visit_duration(const Entry& entry, double&, Range<double>) override { number(entry); }
  void visit_list(const Entry& entry, std::vector<std::uint64_t>&, Range<std::uint64_t>) override {
    other(entry);
  }
  void visit_choice(const Entry& entry, std::size_t&, const std::vector<Option>&) override {
    other(entry);
  }

 private:
  void number(const Entry& entry) {
    keys.numbers.push_back(entry.key);
    other(entry);
  }
  void other(const Entry& entry) { keys.all.push_back(entry.key); }
};

}  // namespace

SectionKeys keys_of(const SectionSchema& section) {
  KeyCollector collector;
  section.bind(collector);
  return collector.keys;
}

}  // namespace rivulet::io
