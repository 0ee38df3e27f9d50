// libcurl's setters take variable arguments, which Swift cannot call: one function for each kind of value.

#include <curl/curl.h>

typedef size_t (*dualsend_curl_transfer)(char *bytes, size_t size, size_t count, void *context);
typedef int (*dualsend_curl_seek)(void *context, curl_off_t offset, int origin);
typedef int (*dualsend_curl_progress)(
    void *context, curl_off_t to_download, curl_off_t downloaded, curl_off_t to_upload, curl_off_t uploaded);

static inline CURLcode dualsend_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode dualsend_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode dualsend_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode dualsend_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode dualsend_curl_set_transfer(CURL *handle, CURLoption option, dualsend_curl_transfer value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode dualsend_curl_set_seek(CURL *handle, dualsend_curl_seek value) {
  return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, value);
}

static inline CURLcode dualsend_curl_set_progress(CURL *handle, dualsend_curl_progress value) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

static inline long dualsend_curl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}
