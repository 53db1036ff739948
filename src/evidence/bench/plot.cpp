#include "evidence/bench/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "evidence/bench/figures.h"

namespace cairn::evidence {
namespace {

constexpr double kWidth = 640;
constexpr double kHeight = 360;
constexpr double kLeft = 70;
constexpr double kRight = 20;
constexpr double kTop = 40;
constexpr double kBottom = 50;
constexpr int kTicks = 5;
/// Told apart by people who see colours differently, and dashed apart in print.
constexpr std::array<std::string_view, 4> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7"};
constexpr std::array<std::string_view, 4> kDashes = {"none", "6 3", "2 2", "8 2 2 2"};

struct PlotPoint {
  double x = 0;
  double y = 0;
};

struct PlotLine {
  std::string name;
  std::vector<PlotPoint> points;
};

struct PlotFrame {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<PlotLine> lines;
};

std::string svg_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

/// From 0 to a little above the largest.
struct PlotRange {
  double x_most = 1;
  double y_most = 1;

  double x(double value) const { return kLeft + value / x_most * (kWidth - kLeft - kRight); }
  double y(double value) const {
    return kHeight - kBottom - value / y_most * (kHeight - kTop - kBottom);
  }
};

PlotRange range_of(const PlotFrame& frame) {
  PlotRange range = {.x_most = 0, .y_most = 0};
  for (const PlotLine& line : frame.lines) {
    for (const PlotPoint& point : line.points) {
      range.x_most = std::max(range.x_most, point.x);
      range.y_most = std::max(range.y_most, point.y);
    }
  }
  constexpr double kRoom = 1.05;
  range.x_most = range.x_most > 0 ? range.x_most * kRoom : 1;
  range.y_most = range.y_most > 0 ? range.y_most * kRoom : 1;
  return range;
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     svg_escaped(text));
}

std::string axes_of(const PlotFrame& frame, const PlotRange& range) {
  const double bottom = kHeight - kBottom;
  std::string svg = fmt::format(
      "<path d=\"M{0:.1f},{1:.1f} V{2:.1f} H{3:.1f}\" fill=\"none\" stroke=\"#333\"/>\n", kLeft,
      kTop, bottom, kWidth - kRight);
  for (int i = 0; i <= kTicks; ++i) {
    const double x = range.x_most * i / kTicks;
    const double y = range.y_most * i / kTicks;
    svg += text_at(range.x(x), bottom + 16, "middle", fmt::format("{:.3g}", x));
    svg += text_at(kLeft - 6, range.y(y) + 4, "end", fmt::format("{:.3g}", y));
  }
  svg += text_at((kLeft + kWidth - kRight) / 2, kHeight - 12, "middle", frame.x_label);
  svg += text_at(kLeft, kTop - 8, "start", frame.y_label);
  return svg + text_at(kWidth / 2, 16, "middle", frame.title);
}

std::string line_svg(const PlotLine& line, const PlotRange& range, std::size_t index) {
  std::string path;
  for (const PlotPoint& point : line.points) {
    path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "M" : " L", range.x(point.x),
                        range.y(point.y));
  }
  const std::string_view colour = kColours[index % kColours.size()];
  std::string svg = fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n",
      path, colour, kDashes[index % kDashes.size()]);
  for (const PlotPoint& point : line.points) {
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\" fill=\"{}\"/>\n",
                       range.x(point.x), range.y(point.y), colour);
  }
  const double y = kTop + 14 * static_cast<double>(index + 1);
  return svg + fmt::format("<g fill=\"{}\">{}</g>\n", colour,
                           text_at(kWidth - kRight, y, "end", line.name));
}

/// The inside of one picture.
std::string frame_svg(const PlotFrame& frame) {
  const PlotRange range = range_of(frame);
  std::string svg = axes_of(frame, range);
  for (std::size_t i = 0; i < frame.lines.size(); ++i) svg += line_svg(frame.lines[i], range, i);
  return svg;
}

std::string document_svg(const std::vector<PlotFrame>& frames) {
  if (frames.empty()) return "";
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      kWidth, kHeight * static_cast<double>(frames.size()));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    svg += fmt::format("<g transform=\"translate(0,{:.0f})\">\n{}</g>\n",
                       kHeight * static_cast<double>(i), frame_svg(frames[i]));
  }
  return svg + "</svg>\n";
}

PlotFrame distribution_of(const BenchRecord& record, std::string_view metric) {
  PlotFrame frame = {.title = fmt::format("{}: {}", record.subject.key, metric),
                     .x_label = fmt::format("{} [{}]", metric, unit_of(record, metric)),
                     .y_label = "share of readings at or below",
                     .lines = {}};
  for (const BenchArm& arm : record.arms) {
    std::vector<double> values;
    for (const BenchSample& sample : record.samples) {
      if (sample.arm != arm.name || sample.metric != metric || sample.cold) continue;
      values.insert(values.end(), sample.values.begin(), sample.values.end());
    }
    if (values.empty()) continue;
    std::ranges::sort(values);
    PlotLine line = {.name = arm.name, .points = {}};
    const auto count = static_cast<double>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      line.points.push_back({.x = values[i], .y = static_cast<double>(i) / count});
      line.points.push_back({.x = values[i], .y = static_cast<double>(i + 1) / count});
    }
    frame.lines.push_back(std::move(line));
  }
  return frame;
}

PlotFrame cost_of(const BenchRecord& record, const PlotCurve& curve) {
  PlotFrame frame = {
      .title = record.subject.key, .x_label = curve.axis, .y_label = "", .lines = {}};
  for (const BenchArm& arm : record.arms) {
    std::map<double, double> points;
    for (const MetricUnit& unit : record.units) {
      if (!unit.metric.starts_with(curve.prefix)) continue;
      const std::string_view rest = std::string_view(unit.metric).substr(curve.prefix.size());
      double x = 0;
      const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), x);
      if (read.ec != std::errc() || read.ptr != rest.data() + rest.size()) continue;
      const auto figure = figure_of(record, {.arm = arm.name, .metric = unit.metric});
      if (figure) points[x] = figure->value;
      frame.y_label = fmt::format("{} [{}]", curve.prefix, unit.unit);
    }
    PlotLine line = {.name = arm.name, .points = {}};
    for (const auto& [x, y] : points) line.points.push_back({.x = x, .y = y});
    if (!line.points.empty()) frame.lines.push_back(std::move(line));
  }
  return frame;
}

void add_filled(std::vector<PlotFrame>& frames, PlotFrame frame) {
  if (!frame.lines.empty()) frames.push_back(std::move(frame));
}

}  // namespace

std::string distribution_svg(const BenchRecord& record, std::string_view metric) {
  std::vector<PlotFrame> frames;
  add_filled(frames, distribution_of(record, metric));
  return document_svg(frames);
}

std::string cost_svg(const BenchRecord& record, const PlotCurve& curve) {
  std::vector<PlotFrame> frames;
  add_filled(frames, cost_of(record, curve));
  return document_svg(frames);
}

std::string plots_of(const BenchRecord& record, const std::vector<PlotCurve>& curves) {
  std::vector<PlotFrame> frames;
  for (const PlotCurve& curve : curves) add_filled(frames, cost_of(record, curve));
  for (const MetricUnit& unit : record.units) {
    if (unit.unit == "ms") add_filled(frames, distribution_of(record, unit.metric));
  }
  return document_svg(frames);
}

}  // namespace cairn::evidence
