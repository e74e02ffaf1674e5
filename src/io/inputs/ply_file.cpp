// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "io/inputs/mesh_file.hpp"

// PLY (G. Turk, "The PLY polygon file format", 1994): a header in words, then its elements, each of
// properties in the order of the header. Of vertices x, y and z are read, of faces the list
// vertex_indices (or vertex_index); all else is passed over.

namespace rivulet::io {
namespace {

struct Type {
  std::string_view name, other_name;
  unsigned bytes;
  enum { whole, natural, real } kind;
};
constexpr Type types[] = {
    {"char", "int8", 1, Type::whole},    {"uchar", "uint8", 1, Type::natural},
    {"short", "int16", 2, Type::whole},  {"ushort", "uint16", 2, Type::natural},
    {"int", "int32", 4, Type::whole},    {"uint", "uint32", 4, Type::natural},
    {"float", "float32", 4, Type::real}, {"double", "float64", 8, Type::real}};

struct Property {
  std::string_view name;
  const Type* type = nullptr;
  const Type* length = nullptr;  ///< of a list
};
struct Element {
  std::string_view name;
  std::uint64_t count = 0;
  std::vector<Property> properties = {};
};

enum class Format { none, ascii, little, big };

class PlyReader {
 public:
  PlyReader(const std::string& path, std::string_view text) : path_(path), rest_(text) {}

  MeshFile read() {
    read_header();
    for (const Element& element : elements_) {
      if (element.properties.empty()) continue;
      element_ = &element;
      for (number_ = 0; number_ < element.count; ++number_) read_one(element);
    }
    require_end();
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw_bad_mesh(path_, why, "Repair the file, or export it again.");
  }
  std::string where() const { return fmt::format("{} {}", element_->name, number_); }

  // ---- The header -----------------------------------------------------------------------------

  std::string_view next_line() {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) fail("its header has no end");
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  static std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (auto word = io::next_word(line, " \t"); !word.empty(); word = io::next_word(line, " \t")) {
      words.push_back(word);
    }
    return words;
  }

  void read_header() {
    if (!rest_.starts_with("ply\n") && !rest_.starts_with("ply\r\n")) {
      fail("it does not begin with 'ply'");
    }
    next_line();
    for (auto line = next_line(); line != "end_header"; line = next_line()) take_header(line);
    if (format_ == Format::none) fail("its header names no format");
    require_vertices_and_faces();
  }

  void take_header(std::string_view line) {
    const auto words = words_of(line);
    if (words.empty() || words[0] == "comment" || words[0] == "obj_info") return;
    if (words[0] == "format" && words.size() == 3 && words[2] == "1.0") {
      format_ = words[1] == "ascii"                  ? Format::ascii
                : words[1] == "binary_little_endian" ? Format::little
                : words[1] == "binary_big_endian"    ? Format::big
                                                     : Format::none;
      if (format_ != Format::none) return;
    } else if (words[0] == "element" && words.size() == 3) {
      Element element{words[1]};
      if (std::ranges::find(elements_, element.name, &Element::name) != elements_.end()) {
        fail(fmt::format("its header has two elements '{}'", element.name));
      }
      if (!words[2].starts_with('+') && number_from(words[2], element.count)) {
        elements_.push_back(element);
        return;
      }
    } else if (words[0] == "property" && !elements_.empty() && take_property(words)) {
      return;
    }
    fail(fmt::format("its header has the line '{}'", line));
  }

  bool take_property(const std::vector<std::string_view>& words) {
    const bool list = words.size() == 5 && words[1] == "list";
    if (!list && words.size() != 3) return false;
    Property property{words.back(), type_of(words[list ? 3 : 1]),
                      list ? type_of(words[2]) : nullptr};
    if (property.type == nullptr || (list && property.length == nullptr)) return false;
    if (list && property.length->kind == Type::real) return false;
    auto& all = elements_.back().properties;
    if (std::ranges::find(all, property.name, &Property::name) != all.end()) {
      fail(fmt::format("its header has two properties '{}' of '{}'", property.name,
                       elements_.back().name));
    }
    all.push_back(property);
    return true;
  }
  static const Type* type_of(std::string_view name) {
    const auto* const found = std::ranges::find_if(
        types, [name](const Type& one) { return one.name == name || one.other_name == name; });
    return found == std::end(types) ? nullptr : found;
  }

  void require_vertices_and_faces() const {
    for (const std::string_view name : {"vertex", "face"}) {
      if (std::ranges::find(elements_, name, &Element::name) == elements_.end()) {
        fail(fmt::format("its header has no element '{}'", name));
      }
    }
    const Element& vertex = *std::ranges::find(elements_, "vertex", &Element::name);
    for (const std::string_view name : {"x", "y", "z"}) {
      const auto found = std::ranges::find(vertex.properties, name, &Property::name);
      if (found == vertex.properties.end() || found->length != nullptr) {
        fail(fmt::format("its vertices have no '{}'", name));
      }
    }
    const Element& face = *std::ranges::find(elements_, "face", &Element::name);
    if (!std::ranges::any_of(face.properties, is_polygon)) {
      fail("its faces have no list 'vertex_indices'");
    }
  }
  static bool is_polygon(const Property& one) {
    return one.length != nullptr && one.type->kind != Type::real &&
           (one.name == "vertex_indices" || one.name == "vertex_index");
  }

  /// A header that counts too few would leave faces out. Blanks may follow a text.
  void require_end() const {
    const bool text = format_ == Format::ascii;
    if (text ? rest_.find_first_not_of(" \t\r\n") == std::string_view::npos : rest_.empty()) return;
    fail("it goes on behind the elements that its header counts");
  }

  // ---- The elements ---------------------------------------------------------------------------

  void read_one(const Element& element) {
    MeshFile::Vertex vertex{};
    const bool is_vertex = element.name == "vertex";
    for (const Property& property : element.properties) {
      if (property.length != nullptr) {
        read_list(property, element.name == "face" && is_polygon(property));
        continue;
      }
      const double value = next(*property.type);
      if (is_vertex && property.name.size() == 1 && property.name >= "x" && property.name <= "z") {
        vertex[static_cast<std::size_t>(property.name[0] - 'x')] = to_coordinate(value);
      }
    }
    if (!is_vertex) return;
    require_finite(path_, where(), vertex);
    mesh_.vertices.push_back(vertex);
  }

  void read_list(const Property& property, bool keep) {
    const double length = next(*property.length);
    if (!(length >= 0 && length <= static_cast<double>(rest_.size()))) {
      fail(fmt::format("{}: a list of {} values", where(), length));
    }
    polygon_.clear();
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(length); ++i) {
      const double value = next(*property.type);
      if (keep) polygon_.push_back(static_cast<std::int64_t>(value));
    }
    if (!keep) return;
    // Elements come in the header's order, vertices perhaps after faces.
    const auto vertices = std::ranges::find(elements_, "vertex", &Element::name)->count;
    add_polygon(path_, where(), polygon_, vertices, mesh_);
  }

  /// The next value. All types but their largest numbers, which no file needs, fit a double.
  double next(const Type& type) {
    return format_ == Format::ascii ? next_word(type) : next_bytes(type);
  }

  double next_word(const Type& type) {
    const std::string_view word = io::next_word(rest_, " \t\r\n");
    if (word.empty()) fail(fmt::format("it ends at {}", where()));
    double value = 0;
    if (!number_from(word, value) || (type.kind != Type::real && !holds(type, value))) {
      fail(fmt::format("{}: '{}' is not of type {}", where(), word, type.name));
    }
    return value;
  }

  double next_bytes(const Type& type) {
    if (rest_.size() < type.bytes) fail(fmt::format("it ends at {}", where()));
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < type.bytes; ++i) {
      const unsigned place = format_ == Format::little ? i : type.bytes - 1 - i;
      bits |= std::uint64_t{static_cast<unsigned char>(rest_[i])} << (8 * place);
    }
    rest_.remove_prefix(type.bytes);
    if (type.kind == Type::natural) return static_cast<double>(bits);
    if (type.kind == Type::whole) {
      const unsigned unused = 64 - 8 * type.bytes;
      return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
    }
    if (type.bytes == 8) return std::bit_cast<double>(bits);
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }

  static bool holds(const Type& type, double value) {
    const double values = std::ldexp(1, static_cast<int>(8 * type.bytes));
    const double least = type.kind == Type::natural ? 0 : -values / 2;
    return value >= least && value < least + values && value == std::floor(value);
  }

  const std::string& path_;
  std::string_view rest_;
  Format format_ = Format::none;
  std::vector<Element> elements_;
  const Element* element_ = nullptr;
  std::uint64_t number_ = 0;
  std::vector<std::int64_t> polygon_;
  MeshFile mesh_;
};

}  // namespace

MeshFile read_ply(const std::string& path, const std::string& text) {
  return PlyReader(path, text).read();
}

}  // namespace rivulet::io
