// Windows: the calls; what they mean is in windows_samples.cpp. Cross-compiled with mingw-w64, not
// yet run on a Windows.
#ifdef _WIN32

// The order matters: windows.h defines what the other two use.
#include <windows.h>
//
#include <psapi.h>
#include <tlhelp32.h>

#include <cwchar>
#include <memory>
#include <type_traits>

#include "base/host/host.h"
#include "base/host/windows_samples.h"

namespace cairn::host {
namespace {

static_assert(ERROR_NO_MORE_FILES == kWindowsNoMoreFiles);
static_assert(sizeof(wchar_t) == sizeof(char16_t));

struct CloseObject {
  void operator()(HANDLE handle) const { ::CloseHandle(handle); }
};
using Object = std::unique_ptr<std::remove_pointer_t<HANDLE>, CloseObject>;

FileTime file_time(const FILETIME& time) {
  return {.low = time.dwLowDateTime, .high = time.dwHighDateTime};
}

std::optional<WindowsSystemTimes> system_times() {
  FILETIME idle = {};
  FILETIME kernel = {};
  FILETIME user = {};
  if (::GetSystemTimes(&idle, &kernel, &user) == 0) return std::nullopt;
  return WindowsSystemTimes{
      .idle = file_time(idle), .kernel = file_time(kernel), .user = file_time(user)};
}

std::optional<WindowsMemory> memory() {
  MEMORYSTATUSEX status = {};
  status.dwLength = sizeof(status);
  if (::GlobalMemoryStatusEx(&status) == 0) return std::nullopt;
  return WindowsMemory{.total_bytes = status.ullTotalPhys, .available_bytes = status.ullAvailPhys};
}

void open_process(WindowsProcess& process) {
  const Object handle(::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, process.pid));
  if (!handle) return;
  FILETIME creation = {};
  FILETIME ended = {};
  FILETIME kernel = {};
  FILETIME user = {};
  if (::GetProcessTimes(handle.get(), &creation, &ended, &kernel, &user) != 0) {
    process.times = {
        .creation = file_time(creation), .kernel = file_time(kernel), .user = file_time(user)};
  }
  PROCESS_MEMORY_COUNTERS counters = {};
  counters.cb = sizeof(counters);
  if (::K32GetProcessMemoryInfo(handle.get(), &counters, sizeof(counters)) != 0) {
    process.working_set_bytes = counters.WorkingSetSize;
  }
}

std::string image_of(const PROCESSENTRY32W& entry) {
  std::u16string text;
  const std::size_t size = ::wcsnlen(entry.szExeFile, MAX_PATH);
  for (std::size_t i = 0; i < size; ++i) text.push_back(static_cast<char16_t>(entry.szExeFile[i]));
  return utf8_of_utf16(text.data(), text.size());
}

void walk_processes(WindowsSample& sample) {
  HANDLE raw = ::CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
  if (raw == INVALID_HANDLE_VALUE) {
    sample.walk_end_error = ::GetLastError();
    return;
  }
  const Object walk(raw);
  sample.walk_started = true;
  PROCESSENTRY32W entry = {};
  entry.dwSize = sizeof(entry);
  for (BOOL more = ::Process32FirstW(raw, &entry); more != 0;
       more = ::Process32NextW(raw, &entry)) {
    WindowsProcess process = {.pid = entry.th32ProcessID,
                              .parent_pid = entry.th32ParentProcessID,
                              .image = image_of(entry)};
    open_process(process);
    sample.processes.push_back(std::move(process));
  }
  sample.walk_end_error = ::GetLastError();
}

}  // namespace

Snapshot read_host() {
  WindowsSample sample;
  sample.system_times = system_times();
  sample.memory = memory();
  walk_processes(sample);
  return windows_snapshot(sample);
}

}  // namespace cairn::host

#endif
