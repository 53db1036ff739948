// The committed documents of docs/examples/: one of every kind, made from the samples of the tests.
#pragma once

#include <map>
#include <string>

namespace cairn::evidence {

/// Every file of docs/examples/ that is a document, by its name. They hold no measurement.
std::map<std::string, std::string> example_documents();

}  // namespace cairn::evidence
