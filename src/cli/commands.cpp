#include <array>

#include "cli/command.h"

namespace cairn::cli {
namespace {

constexpr std::array kCommands = {
    CommandRow{.name = "run",
               .summary = "Answer one prompt and print figures",
               .examples = "  cairn run org/model -p \"Why is the sky blue?\"\n"
                           "  cairn run model.gguf --raw -p \"Once upon a time\" -n 64\n"
                           "  cairn run model.gguf --ids 1,2,3 --json --logprobs 5\n"
                           "  git diff | cairn run model.gguf -p - -n 200\n",
               .make = &make_run},
    CommandRow{.name = "chat",
               .summary = "Talk with a model; /help inside lists what can be typed",
               .examples = "  cairn chat SmolLM2-135M-Instruct.Q4_1\n"
                           "  cairn chat model.gguf --system \"Be brief.\" --temperature 0.7\n",
               .make = &make_chat},
    CommandRow{.name = "serve",
               .summary = "Answer OpenAI clients over HTTP",
               .examples = "  cairn serve SmolLM2-135M-Instruct.Q4_1\n"
                           "  cairn serve model.gguf --port 8000 --max-num-seqs 16\n"
                           "  cairn serve model.gguf --host 0.0.0.0 --api-keys keys.txt\n",
               .make = &make_serve},
    CommandRow{.name = "batch",
               .summary = "Answer every request of a file",
               .examples =
                   "  cairn batch requests.jsonl --model model.gguf\n"
                   "  cairn batch requests.jsonl -o results.jsonl --max-num-seqs 16 --json\n",
               .make = &make_batch},
    CommandRow{.name = "plan",
               .summary = "Show what a model would take of memory, and what fits",
               .examples = "  cairn plan model.gguf\n"
                           "  cairn plan model.gguf --ctx 8192 --max-num-seqs 16\n"
                           "  cairn plan model.gguf --for run --kv-cache-memory 268435456 --json\n",
               .make = &make_plan},
    CommandRow{.name = "pull",
               .summary = "Fetch a model from a hub into the store",
               .examples = "  cairn pull org/model-GGUF:Q4_K_M\n"
                           "  cairn pull org/model --revision v1.0\n",
               .make = &make_pull},
    CommandRow{.name = "list",
               .summary = "List the models in the store",
               .examples = "  cairn list\n  cairn list --json\n  cairn list --names\n",
               .make = &make_list},
    CommandRow{.name = "inspect",
               .summary = "Show a model file's metadata, tensors and sizes by type",
               .examples = "  cairn inspect model.gguf\n  cairn inspect org/model --json\n",
               .make = &make_inspect},
    CommandRow{.name = "quantize",
               .summary = "Write a model's weights in another type, as a GGUF file",
               .examples = "  cairn quantize folder model.Q8_0.gguf --type Q8_0\n"
                           "  cairn quantize model.F16.gguf model.Q4_K.gguf --type Q4_K --json\n",
               .make = &make_quantize},
    CommandRow{.name = "tokenize",
               .summary = "Show the ids and pieces that a text becomes",
               .examples = "  cairn tokenize model.gguf -p \"Hello world\"\n"
                           "  cat notes.txt | cairn tokenize model.gguf -p - --json\n",
               .make = &make_tokenize},
    CommandRow{.name = "settings",
               .summary = "List every setting with its default, range and meaning",
               .examples = "  cairn settings\n  cairn settings --markdown\n",
               .make = &make_settings},
    CommandRow{.name = "features",
               .summary = "Show what this processor offers and what cairn uses of it",
               .examples = "  cairn features\n  cairn features --json\n",
               .make = &make_features},
    CommandRow{.name = "completion",
               .summary = "Print a completion script for bash, zsh or fish",
               .examples = "  source <(cairn completion bash)\n",
               .make = &make_completion},
};

}  // namespace

std::span<const CommandRow> commands() { return kCommands; }

}  // namespace cairn::cli
