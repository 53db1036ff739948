// What guessing by lookup brings: each prompt answered with it and without, in turns, on one model.
// Usage: bench_speculation MODEL [ROUNDS] [TOKENS] [THREADS] [processor]
//
// A pair is one answer of each arm right after the other; the order changes from pair to pair. A
// prompt's ratio is the median over its pairs: of the seconds of decoding by the wall, or of those
// of all processors, which a busy machine blurs less. Answers that differ fail the program.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/json.h"
#include "bench/peers/subject.h"
#include "runtime/runtime.h"

namespace cairn::bench {
namespace {

// What is asked for: the median of the prompts that copy, and each of the others.
constexpr double kCopiesMin = 1.5;
constexpr double kOthersMin = 0.97;

void tell(std::string_view what, double ratio, double least) {
  fmt::print("{} {:.2f} x (at least {:.2f}: {})\n", what, ratio, least,
             ratio >= least ? "kept" : "not kept");
}

struct Arguments {
  std::string model = {};
  std::size_t rounds = 5;
  std::size_t tokens = 128;
  std::size_t threads = 0;
  bool processor = false;
};

struct Question {
  std::string kind = {};
  std::string name = {};
  std::string text = {};
};

/// One answer and the seconds of its decoding.
struct Answered {
  std::vector<TokenId> ids = {};
  double seconds = 0;
  runtime::Figures figures = {};
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Result<std::vector<Question>> questions() {
  CAIRN_ASSIGN(const std::string text, read_file(CAIRN_PROMPTS, 1 << 20));
  std::vector<Question> all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const Json line = Json::parse(text.substr(at, end - at));
    all.push_back({.kind = line["kind"], .name = line["name"], .text = line["text"]});
    at = end + 1;
  }
  return all;
}

Result<std::unique_ptr<runtime::Runtime>> open(const Arguments& arguments, std::size_t guesses) {
  return runtime::Runtime::open({.path = arguments.model,
                                 .context = 2048,
                                 .threads = arguments.threads,
                                 .lookup = {.tokens_max = guesses}});
}

Result<Answered> answer(runtime::Runtime& model, const Question& question,
                        const Arguments& arguments) {
  runtime::GenerateRequest request;
  const Json message = {{"role", "user"}, {"content", question.text}};
  request.prompt = runtime::ChatPrompt{.messages = Json::array({message}), .tools = nullptr};
  request.seed = 1;
  request.tokens_max = arguments.tokens;
  CAIRN_ASSIGN(const auto stream, model.generate(request));
  double begin = 0;
  for (;;) {
    CAIRN_ASSIGN(const auto piece, stream->next());
    if (!piece) break;
    if (begin == 0) begin = processor_seconds();  // the prompt is computed
  }
  Answered answered{.ids = stream->ids(), .figures = stream->figures()};
  answered.seconds = arguments.processor ? processor_seconds() - begin : answered.figures.decode_s;
  return answered;
}

/// The arms, and what they gave.
class Bench {
 public:
  Bench(Arguments arguments, runtime::Runtime& plain, runtime::Runtime& guessing)
      : arguments_(std::move(arguments)), plain_(plain), guessing_(guessing) {}

  Status run(const Question& question) {
    std::vector<double> ratios;
    Answered last;
    double without = 0;
    for (std::size_t round = 0; round <= arguments_.rounds; ++round) {
      const bool first = round % 2 == 0;
      CAIRN_ASSIGN(Answered one, answer(first ? plain_ : guessing_, question, arguments_));
      CAIRN_ASSIGN(Answered two, answer(first ? guessing_ : plain_, question, arguments_));
      if (one.ids != two.ids) return internal_error(question.name + ": the answers differ");
      if (one.ids.size() < 8 || round == 0) {  // round 0 warms up
        last = first ? two : one;
        continue;
      }
      ratios.push_back(first ? one.seconds / two.seconds : two.seconds / one.seconds);
      without = first ? one.seconds : two.seconds;
      last = first ? two : one;
    }
    if (ratios.empty()) {
      fmt::print("{:<18} {:4} tokens: too short to time\n", question.name, last.ids.size());
      return {};
    }
    const double ratio = median(ratios);
    ratios_[question.kind].push_back(ratio);
    const double speed = static_cast<double>(last.ids.size() - 1) / without;
    fmt::print("{:<18} {:4} tokens  {:7.1f} tokens/s without  {:5.2f} x (", question.name,
               last.ids.size(), speed, ratio);
    fmt::print("{:.2f} to {:.2f})  {:3} drafts {:4} guessed {:4} right\n",
               *std::ranges::min_element(ratios), *std::ranges::max_element(ratios),
               last.figures.drafts->drafts, last.figures.drafts->drafted,
               last.figures.drafts->accepted);
    (void)std::fflush(stdout);
    return {};
  }

  void sum_up() const {
    for (const auto& [kind, ratios] : ratios_) {
      fmt::print("{:<8} {:2} prompts: median {:.2f} x, lowest {:.2f} x\n", kind, ratios.size(),
                 median(ratios), *std::ranges::min_element(ratios));
    }
    std::vector<double> copies;
    std::vector<double> others;
    for (const auto& [kind, ratios] : ratios_) {
      std::vector<double>& all = kind == "other" ? others : copies;
      all.insert(all.end(), ratios.begin(), ratios.end());
    }
    if (!copies.empty()) tell("edit, quote and summary: median", median(copies), kCopiesMin);
    if (!others.empty()) tell("others: lowest", *std::ranges::min_element(others), kOthersMin);
  }

 private:
  Arguments arguments_;
  runtime::Runtime& plain_;
  runtime::Runtime& guessing_;
  std::map<std::string, std::vector<double>> ratios_;
};

Status run(const Arguments& arguments) {
  CAIRN_ASSIGN(const std::vector<Question> all, questions());
  CAIRN_ASSIGN(const auto plain, open(arguments, 0));
  CAIRN_ASSIGN(const auto guessing, open(arguments, 8));
  fmt::print("{}, isa {}, {} threads, {} tokens, {} pairs, {} seconds\n", arguments.model,
             plain->facts().isa, plain->facts().threads, arguments.tokens, arguments.rounds,
             arguments.processor ? "processor" : "wall");
  Bench bench(arguments, *plain, *guessing);
  for (const Question& question : all) CAIRN_TRY(bench.run(question));
  bench.sum_up();
  return {};
}

}  // namespace
}  // namespace cairn::bench

int main(int argc, char** argv) {
  if (argc < 2 || argc > 6) {
    fmt::print(stderr, "usage: bench_speculation MODEL [ROUNDS] [TOKENS] [THREADS] [processor]\n");
    return 2;
  }
  cairn::bench::Arguments arguments{.model = argv[1]};
  if (argc > 2) arguments.rounds = std::strtoul(argv[2], nullptr, 10);
  if (argc > 3) arguments.tokens = std::strtoul(argv[3], nullptr, 10);
  if (argc > 4) arguments.threads = std::strtoul(argv[4], nullptr, 10);
  arguments.processor = argc > 5 && std::string(argv[5]) == "processor";
  const cairn::Status status = cairn::bench::run(arguments);
  if (status.ok()) return 0;
  fmt::print(stderr, "bench_speculation: {}\n", status.message());
  return 1;
}
