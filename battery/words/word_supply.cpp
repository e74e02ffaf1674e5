// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/words/word_supply.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "rivulet/detail/rng/splitmix64.hpp"

namespace rivulet {
namespace {

using Words = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;

/// Words of which low bits are taken together, and words that are drawn of some streams together.
constexpr std::uint64_t words_at_once = std::uint64_t{1} << (device_build ? 24 : 18);
constexpr std::uint64_t words_of_streams = std::uint64_t{1} << (device_build ? 28 : 24);

NumberRequest request_for(StreamMapping mapping, std::uint64_t segments) {
  NumberRequest request;
  request.type = NumberType::uint32;
  request.mapping = mapping;
  request.segments = segments;
  return request;
}

/// One word of each stream in turn, of the first seed, then of the next one, and so on.
class InterleavedWords final : public WordSupply {
 public:
  using Sources = std::vector<std::unique_ptr<NumberSource>>;

  /// One of each seed.
  explicit InterleavedWords(Sources sources) : sources_(std::move(sources)) {}

  std::uint64_t unit() const override { return period() * streams() * sources_.size(); }
  std::uint64_t state_bytes() const override {
    return sources_.front()->state_bytes() * sources_.size();
  }

  void draw(std::uint64_t first, std::uint64_t units, std::uint32_t* to) override {
    if (first != next_) {
      for (const auto& source : sources_) {
        source->restart();
        source->advance(first);
      }
      base_ = first;
    }
    for (const auto& source : sources_) {
      source->draw({0, streams(), (first - base_) * period(), units * period()},
                   {1, streams() * sources_.size()}, to);
      to += streams();
    }
    next_ = first + units;
  }

 private:
  std::uint64_t period() const { return sources_.front()->period(); }
  std::uint64_t streams() const { return sources_.front()->count(); }

  Sources sources_;
  std::uint64_t base_ = 0;             ///< unit that pieces count from
  std::optional<std::uint64_t> next_;  ///< unit to be drawn
};

/// A run of words of each stream in turn. Units are runs of as many streams as there is memory for;
/// where that is of one, runs can be cut.
class WordsInRuns final : public WordSupply {
 public:
  WordsInRuns(const Space& space, const StreamPlan& plan, StreamRange streams,
              const NumberRequest& request, std::uint64_t run)
      : space_(space), plan_(plan), streams_(streams), request_(request), run_(run) {
    together_ = std::clamp<std::uint64_t>(words_of_streams / run, 1, streams.count);
    while (streams.count % together_ != 0) --together_;
    take(0);
  }

  std::uint64_t unit() const override { return together_ == 1 ? 1 : run_ * together_; }
  std::uint64_t state_bytes() const override { return source_->state_bytes(); }

  void draw(std::uint64_t first, std::uint64_t units, std::uint32_t* to) override {
    const std::uint64_t groups = streams_.count / together_;
    std::uint64_t word = first * unit() / together_;  // of the streams' that are drawn together
    for (const std::uint64_t end = word + units * unit() / together_; word < end;) {
      const std::uint64_t turn = word / run_;
      const std::uint64_t count = std::min(end, (turn + 1) * run_) - word;
      move_to(turn % groups, turn / groups * run_ + word % run_);
      source_->draw({0, together_, next_ - base_, count}, {run_, 1}, to);
      next_ += count;
      word += count;
      to += count * together_;
    }
  }

 private:
  void take(std::uint64_t group) {
    source_.reset();
    source_ = make_number_source(space_, plan_, {streams_.first + group * together_, together_},
                                 request_);
    group_ = group;
  }

  void move_to(std::uint64_t group, std::uint64_t number) {
    if (group == group_ && is_placed_ && number == next_) return;
    if (group != group_) take(group);
    const std::uint64_t periods = number / source_->period();
    source_->restart();
    source_->advance(periods);
    base_ = periods * source_->period();
    next_ = number;
    is_placed_ = true;
  }

  Space space_;
  const StreamPlan& plan_;
  StreamRange streams_;
  NumberRequest request_;
  std::uint64_t run_;
  std::uint64_t together_ = 1;            ///< streams
  std::unique_ptr<NumberSource> source_;  ///< of a group of them
  std::uint64_t group_ = 0;
  std::uint64_t base_ = 0;  ///< their number that pieces count from
  std::uint64_t next_ = 0;  ///< their number to be drawn
  bool is_placed_ = false;
};

/// What a function draws, which knows the next units alone.
class WordsInTurn final : public WordSupply {
 public:
  WordsInTurn(std::uint64_t unit, DrawWords draw) : unit_(unit), draw_(std::move(draw)) {}

  std::uint64_t unit() const override { return unit_; }
  bool goes_only_forward() const override { return true; }
  void draw(std::uint64_t first, std::uint64_t units, std::uint32_t* to) override {
    while (next_ < first) pass(std::min(first - next_, units), to);
    pass(units, to);
  }

 private:
  void pass(std::uint64_t units, std::uint32_t* to) {
    draw_(units, to);
    next_ += units;
  }

  std::uint64_t unit_;
  DrawWords draw_;
  std::uint64_t next_ = 0;
};

/// What a function reads, in the shape of io::RawWords.
class ReadInTurn {
 public:
  explicit ReadInTurn(ReadWords read) : read_(std::move(read)) {}

  io::WordForm form() const { return {}; }
  bool goes_only_forward() const { return true; }
  std::uint64_t end() const { return end_; }
  std::uint64_t read(std::uint64_t position, std::span<std::uint32_t> to) {
    while (next_ < std::min(position, end_)) {
      pass(to.first(std::min<std::uint64_t>(position - next_, to.size())));
    }
    return next_ < end_ ? pass(to) : 0;
  }

 private:
  std::uint64_t pass(std::span<std::uint32_t> to) {
    const std::uint64_t there = read_(to);
    next_ += there;
    if (there < to.size()) end_ = next_;
    return there;
  }

  ReadWords read_;
  std::uint64_t next_ = 0;
  std::uint64_t end_ = std::numeric_limits<std::uint64_t>::max();
};

/// Words that the host reads: io::RawWords, or ReadInTurn.
template <class HostWords>
class WordsFromOutside final : public WordSupply {
 public:
  WordsFromOutside(const Space& space, HostWords words)
      : space_(space), words_(std::move(words)), read_(std::uint64_t{1} << 18) {}

  std::uint64_t unit() const override { return words_.form().halves; }
  std::uint64_t end() const override { return words_.end(); }
  bool goes_only_forward() const override { return words_.goes_only_forward(); }

  void draw(std::uint64_t first, std::uint64_t units, std::uint32_t* to) override {
    std::uint64_t at = first * unit();
    for (const std::uint64_t end = at + units * unit(); at < end;) {
      const std::uint64_t count = std::min<std::uint64_t>(end - at, read_.size());
      const auto part = std::span(read_).first(count);
      for (std::uint64_t i = words_.read(at, part); i < count; ++i) {
        // Tests that look for an event in what they read ahead find it here, too.
        part[i] = static_cast<std::uint32_t>(splitmix64_mix((at + i) * splitmix64_increment));
      }
      Kokkos::deep_copy(space_, Borrowed<std::uint32_t>(to, count),
                        Borrowed<const std::uint32_t, Kokkos::HostSpace>(part.data(), count));
      space_.fence();
      at += count;
      to += count;
    }
  }

 private:
  Space space_;
  HostWords words_;
  std::vector<std::uint32_t> read_;
};

/// Bit i becomes bit 31 - i.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t reversed(std::uint32_t word) {
  word = (word >> 1 & 0x55555555U) | (word & 0x55555555U) << 1;
  word = (word >> 2 & 0x33333333U) | (word & 0x33333333U) << 2;
  word = (word >> 4 & 0x0f0f0f0fU) | (word & 0x0f0f0f0fU) << 4;
  word = (word >> 8 & 0x00ff00ffU) | (word & 0x00ff00ffU) << 8;
  return word >> 16 | word << 16;
}

struct ReverseWords {
  std::uint32_t* words;
  KOKKOS_FUNCTION void operator()(std::uint64_t i) const { words[i] = reversed(words[i]); }
};

/// The low bits of words, the first word's lowest; or whole words.
struct PackWords {
  const std::uint32_t* from;
  std::uint32_t* to;
  unsigned width;        ///< bits of each
  std::uint64_t stride;  ///< from one to the next

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    const unsigned parts = 32 / width;
    std::uint32_t word = 0;
    for (unsigned j = 0; j < parts; ++j) {
      word |= (from[(i * parts + j) * stride] & (~std::uint32_t{0} >> (32 - width))) << (j * width);
    }
    to[i] = word;
  }
};

class ReversedWords final : public WordSupply {
 public:
  ReversedWords(const Space& space, std::unique_ptr<WordSupply> all)
      : space_(space), all_(std::move(all)) {}

  std::uint64_t unit() const override { return all_->unit(); }
  std::uint64_t end() const override { return all_->end(); }
  bool goes_only_forward() const override { return all_->goes_only_forward(); }
  std::uint64_t state_bytes() const override { return all_->state_bytes(); }
  void draw(std::uint64_t first, std::uint64_t units, std::uint32_t* to) override {
    all_->draw(first, units, to);
    Kokkos::parallel_for("rivulet::battery_reverse", Words(space_, 0, units * unit()),
                         ReverseWords{to});
  }

 private:
  Space space_;
  std::unique_ptr<WordSupply> all_;
};

class LowBits final : public WordSupply {
 public:
  /// stride: from one word with low bits to the next.
  LowBits(const Space& space, std::unique_ptr<WordSupply> all, unsigned width, std::uint64_t stride)
      : space_(space),
        all_(std::move(all)),
        width_(width),
        stride_(stride),
        each_(32 / width * stride),
        drawn_(std::lcm(all_->unit(), each_)),
        at_once_(std::max<std::uint64_t>(words_at_once / drawn_, 1)),
        words_(Kokkos::view_alloc("rivulet::battery_all_bits", Kokkos::WithoutInitializing),
               at_once_ * drawn_) {}

  std::uint64_t unit() const override { return drawn_ / each_; }
  std::uint64_t end() const override { return all_->end() / each_; }
  bool goes_only_forward() const override { return all_->goes_only_forward(); }
  std::uint64_t state_bytes() const override {
    return all_->state_bytes() + words_.extent(0) * sizeof(std::uint32_t);
  }
  void draw(std::uint64_t first, std::uint64_t units, std::uint32_t* to) override {
    const std::uint64_t of_all = drawn_ / all_->unit();
    for (std::uint64_t done = 0; done < units; done += at_once_) {
      const std::uint64_t some = std::min(at_once_, units - done);
      all_->draw((first + done) * of_all, some * of_all, words_.data());
      Kokkos::parallel_for("rivulet::battery_low_bits", Words(space_, 0, some * unit()),
                           PackWords{words_.data(), to + done * unit(), width_, stride_});
    }
  }

 private:
  Space space_;
  std::unique_ptr<WordSupply> all_;
  unsigned width_;
  std::uint64_t stride_;
  std::uint64_t each_;     ///< words that a word is made of
  std::uint64_t drawn_;    ///< words that a unit is made of
  std::uint64_t at_once_;  ///< units
  Kokkos::View<std::uint32_t*, Space> words_;
};

std::unique_ptr<WordSupply> bits_of(const Space& space, std::unique_ptr<WordSupply> all,
                                    WordBits bits, std::uint64_t stride) {
  switch (bits) {
    case WordBits::reversed:
      return std::make_unique<ReversedWords>(space, std::move(all));
    case WordBits::low8:
      return std::make_unique<LowBits>(space, std::move(all), 8, stride);
    case WordBits::low1:
      return std::make_unique<LowBits>(space, std::move(all), 1, stride);
    default:
      return all;
  }
}

}  // namespace

std::unique_ptr<WordSupply> make_word_supply(const Space& space,
                                             const std::vector<const StreamPlan*>& plans,
                                             StreamRange streams, StreamMapping mapping,
                                             std::uint64_t segments, const WordOrder& order) {
  const NumberRequest request = request_for(mapping, segments);
  std::unique_ptr<WordSupply> all;
  if (order.run == 0) {
    InterleavedWords::Sources sources;
    for (const StreamPlan* const plan : plans) {
      sources.push_back(make_number_source(space, *plan, streams, request));
    }
    all = std::make_unique<InterleavedWords>(std::move(sources));
  } else {
    all = std::make_unique<WordsInRuns>(space, *plans.front(), streams, request, order.run);
  }
  if (order.step > 1) all = std::make_unique<LowBits>(space, std::move(all), 32, order.step);
  return bits_of(space, std::move(all), order.bits, 1);
}

std::unique_ptr<WordSupply> make_word_supply(const Space& space, io::RawWords words,
                                             WordBits bits) {
  const std::uint64_t halves = words.form().halves;
  return bits_of(space, std::make_unique<WordsFromOutside<io::RawWords>>(space, std::move(words)),
                 bits, halves);
}

std::unique_ptr<WordSupply> make_word_supply(std::uint64_t unit, DrawWords draw) {
  return std::make_unique<WordsInTurn>(unit, std::move(draw));
}

std::unique_ptr<WordSupply> make_word_supply(const Space& space, ReadWords read) {
  return std::make_unique<WordsFromOutside<ReadInTurn>>(space, ReadInTurn(std::move(read)));
}

}  // namespace rivulet
