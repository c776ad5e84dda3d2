/* test_format - format.h and decimal.h against snprintf and strtod of the C library: each
 * conversion that is used, and many drawn numbers, halfway cases and the ends of the range of
 * doubles among them.
 */
#include "expect.h"

#include "base/decimal.h"
#include "base/format.h"

#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>

static uint64_t state_of_draws = 1;

static uint64_t draw(void) {
    uint64_t x = state_of_draws += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static double draw_double(void) {
    double x;
    uint64_t bits = draw();
    switch (draw() % 4) {
    case 0: return (double)(int64_t)bits / (double)(1u << draw() % 31);
    case 1: return (double)(float)((double)bits / 1e19);
    case 2: bits &= 0x800FFFFFFFFFFFFFu | (draw() % 3 << 52); break; /* hardly normal or less */
    default: break;
    }
    memcpy(&x, &bits, sizeof x);
    return isfinite(x) ? x : 0.1;
}

#define ALIKE(...)                                                                                 \
    do {                                                                                           \
        char ours[900], theirs[900];                                                               \
        int size = format_text(ours, sizeof ours, __VA_ARGS__),                                    \
            expected = snprintf(theirs, sizeof theirs, __VA_ARGS__);                               \
        if (size != expected || strcmp(ours, theirs) != 0)                                         \
            fail_msg("\"%s\", expected \"%s\"", ours, theirs);                                     \
    } while (0)

static void integers_and_texts(void **state) {
    (void)state;
    const int64_t rows[] = {0, 1, -1, 9, 10, 255, INT_MAX, INT_MIN, INT64_MAX, INT64_MIN,
        4294967296};
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t x = rows[i];
        ALIKE("%d|%u|%5d|%05d|%x|%02X|%04x", (int)x, (unsigned)x, (int)x, (int)x, (unsigned)x,
            (unsigned)x, (unsigned)x);
        ALIKE("%lld, %llu, %llx and %zu|%" PRIu64 "|%" PRId64, (long long)x, (unsigned long long)x,
            (unsigned long long)x, (size_t)x, (uint64_t)x, x);
    }
    ALIKE("%s-%.*s-%.3s-%c%%", "text", 2, "cut", "cut off", 'x');
    ALIKE("%.*s|", 0, "nothing");
    ALIKE("100%% of %s%s", "", "é");
}

static void what_does_not_fit_is_cut(void **state) {
    (void)state;
    for (size_t room = 1; room < 20; room++) {
        char ours[20], theirs[20];
        memset(ours, 'x', sizeof ours);
        assert_int_equal(format_text(ours, room, "%s %d!", "eleven and", 12),
            snprintf(theirs, room, "%s %d!", "eleven and", 12));
        assert_string_equal(ours, theirs);
        assert_int_equal(ours[room], 'x');
    }
}

static void doubles_are_written(void **state) {
    (void)state;
    const double rows[] = {0, -0.0, 1, 0.5, 1.5, 2.5, -2.5, 0.05, 0.25, 9.5, 99.95, 999999.5,
        9999999.5, 0.0001, 0.00009999995, 1e5, 1e6, 1e7, 123456789, 1e21, 1e22, 1e23, DBL_MAX,
        DBL_MIN, 5e-324, INFINITY, -INFINITY, 1e100, 9.9999999e-5};
    for (size_t i = 0; i < COUNT(rows); i++) {
        double x = rows[i];
        ALIKE("%.0f|%.1f|%.7g|%.9g|%g|%f|%.17g|%.0g|%.1g", x, x, x, x, x, x, x, x, x);
    }
    for (int i = 0; i < 20000; i++) {
        double x = draw_double();
        ALIKE("%.0f|%.1f|%.7g|%.9g|%g|%.17g|%.3f", x, x, x, x, x, x, x);
    }
    for (int power = -330; power < 310; power++) {
        double x = pow(10, power);
        ALIKE("%.1g %.7g %.17g %.7g %.7g", x, x, x, nextafter(x, 0), nextafter(x, INFINITY));
    }
}

static void same_number(const char *text) {
    double ours = decimal_read(text), theirs = strtod(text, NULL);
    if (memcmp(&ours, &theirs, sizeof ours) != 0)
        fail_msg("%s: %a, expected %a", text, ours, theirs);
}

static void doubles_are_read(void **state) {
    (void)state;
    static const char *const rows[] = {
        "0",
        "-0",
        "0.0",
        "-0.0e9",
        "1",
        "1e0",
        "0.1",
        "1E+2",
        "1e-2",
        "9007199254740993",
        "9007199254740992.5",
        "9007199254740991.5",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e308",
        "1e309",
        "1e310",
        "1e99999",
        "1e-99999",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.5e-324",
        "1e-324",
        "1e-400",
        "0.000000000000000000000000000000000000000000000000001e-290",
        "179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000e213",
        "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706",
    };
    for (size_t i = 0; i < COUNT(rows); i++) same_number(rows[i]);
    char text[DECIMAL_ROOM];
    for (int i = 0; i < 20000; i++) {
        double x = draw_double();
        snprintf(text, sizeof text, "%.*e", (int)(draw() % 20), x);
        same_number(text);
        int exponent; /* halfway to the next */
        uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(x), &exponent), 53);
        if (exponent < 53 || exponent > 62) exponent = 53 + (int)(draw() % 9);
        snprintf(text, sizeof text, "%" PRIu64 ".%s", ((2 * mantissa + 1) << (exponent - 53)) / 2,
            exponent == 53 ? "5" : "0");
        same_number(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_and_texts),
        cmocka_unit_test(what_does_not_fit_is_cut),
        cmocka_unit_test(doubles_are_written),
        cmocka_unit_test(doubles_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
