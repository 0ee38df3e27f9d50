// Gives files to the cases, and the system's functions to Embedded Swift.

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

void run_cases(const char *name, const unsigned char *bytes, size_t count);
int report_cases(void);

void arc4random_buf(void *bytes, size_t count) {
  if (getrandom(bytes, count, 0) != (ssize_t)count) abort();
}

// How `Double` reads a text; the caller checks that the end is that of the text.
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
  char *end;
  *result = strtod(text, &end);
  return end;
}

void print_line(const char *text) {
  puts(text);
  fflush(stdout);
}

int main(int count, char **names) {
  for (int index = 1; index < count; index++) {
    FILE *file = fopen(names[index], "rb");
    if (!file) {
      perror(names[index]);
      return 2;
    }
    fseek(file, 0, SEEK_END);
    size_t length = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(length + 1);
    if (!bytes || fread(bytes, 1, length, file) != length) return 2;
    fclose(file);
    run_cases(names[index], bytes, length);
    free(bytes);
  }
  return report_cases();
}
