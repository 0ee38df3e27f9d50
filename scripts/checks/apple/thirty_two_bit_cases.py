"""Cases for arithmetic where `Int` has 32 bits, in the form of Fixtures/conformance, with answers that Python computes."""

import csv
import datetime
import decimal
import json
import pathlib
import sqlite3
import struct
import tempfile

from checkout import ROOT

# Numbers next to which arithmetic may fail.
EDGES = [0, 1, 100, 2**15, 2**16, 10**9, 2**31, 2**32, 10**10, 2**47, 2**48, 2**53, 2**62, 2**63, 2**64, 10**20]
NEAR = sorted({sign * edge + step for edge in EDGES for sign in (1, -1) for step in (-1, 0, 1)})
MASK = 2**64 - 1


def is_int64(number):
    return -(2**63) <= number < 2**63


def double_text(number):
    """A double as canonical JSON writes it: `Number::toString` of ECMA-262."""
    if number == int(number) and abs(number) < 1e21:
        return str(int(number)) if abs(number) <= 2**53 else format(decimal.Decimal(repr(number)), "f")
    digits, exponent = decimal.Decimal(repr(abs(number))).normalize().as_tuple()[1:]
    digits = "".join(map(str, digits))
    point = len(digits) + exponent
    sign = "-" if number < 0 else ""
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    fraction = "." + digits[1:] if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+d}"


def number_cases():
    doubles = "0.1 -0.5 1e5 1.0 1.5e300 5e-324 1e21 123456789012345678901234567890 1e-7 0.000001 4294967296.5".split()
    doubles += ["0e99999999999", "9007199254740993.0", "0.1000000000000000055511151231257827"]
    for text in [*map(str, NEAR), *doubles]:
        is_integer = text.lstrip("-").isdigit() and -(2**63) <= int(text) < 2**64
        written = str(int(text)) if is_integer else double_text(float(text))
        # Of no number in the list but 0e99999999999 would `Decimal` refuse the exponent.
        exact = text.startswith("0e") or decimal.Decimal(text) == decimal.Decimal(written)
        plain = None
        if is_integer and is_int64(int(text)):
            plain = "Int" if -(2**31) <= int(text) < 2**31 else "Int64"
        yield {"text": text, "expect": {"text": written, "plain": plain, "isExact": exact}}


def double_cases():
    with open(ROOT / "Fixtures" / "json" / "rfc8785-numbers.csv") as file:
        for row in csv.DictReader(file):
            yield {"bits": row["bits"], "expect": {"text": row["text"]}}
    for number in NEAR:
        for double in (float(number), number + 0.5):
            yield {"bits": struct.pack(">d", double).hex(), "expect": {"text": double_text(double)}}


def percentage_cases():
    digits = "0 5 100 100.000 100.001 101 33.333 0.001 0.0001 12.5000 0.000 2147483648 4294967296 18446744073709551616"
    exponents = [-(2**63) - 1, -(2**32), -(2**31) - 1, -(2**31), -4, -3, -1, 1, 2, 3, 5, 2**31 - 1, 2**31, 2**32, 2**63]
    for number in digits.split():
        for exponent in (None, *exponents):
            for sign in ("", "-"):
                whole, _, fraction = number.partition(".")
                mantissa = (whole + fraction).lstrip("0")
                power = (exponent or 0) - len(fraction) + 3
                power += len(mantissa) - len(mantissa.rstrip("0"))
                mantissa = int(mantissa.rstrip("0") or 0)
                if mantissa == 0:
                    answer = {"thousandths": 0}
                elif sign or power > 5 or power >= 0 and mantissa * 10**power > 100_000:
                    answer = {"fault": "out of range"}
                elif power >= 0:
                    answer = {"thousandths": mantissa * 10**power}
                elif power > -40 and mantissa > 100_000 * 10**-power:
                    # Both faults: either answer is right.
                    answer = {}
                else:
                    answer = {"fault": "too many decimals"}
                text = sign + number + ("" if exponent is None else f"e{exponent}")
                yield {"text": text, "expect": answer}


def hash_cases():
    with open(ROOT / "Fixtures" / "vectors" / "murmur3-x86-32.csv") as file:
        for seed, text, result, _ in csv.reader(file):
            fnv = 0xCBF29CE484222325
            for byte in text.encode():
                fnv = (fnv ^ byte) * 0x100000001B3 & MASK
            answer = {"hash": int(result), "bucket": int(result) * 100_000 >> 32, "fnv": f"{fnv:016x}"}
            yield {"seed": int(seed), "text": text, "expect": answer}


def timestamp_cases():
    start = datetime.datetime(1970, 1, 1)
    times = [start + datetime.timedelta(milliseconds=number) for number in NEAR if -(10**13) < number < 2**47]
    times += [datetime.datetime(*day, 23, 59, 59, 999000) for day in ((1, 1, 1), (2026, 11, 28), (2038, 1, 19), (9999, 12, 31))]
    for time in times:
        milliseconds = (time - start) // datetime.timedelta(milliseconds=1)
        answer = {
            "text": time.isoformat(timespec="milliseconds") + "Z",
            "read": milliseconds,
            "date": milliseconds,
            "isWritable": True,
        }
        yield {"milliseconds": milliseconds, "expect": answer}
    # `datetime` has no year 0.
    first = -62_167_219_200_000
    answer = {"text": "0000-01-01T00:00:00.000Z", "read": first, "date": first, "isWritable": True}
    yield {"milliseconds": first, "expect": answer}
    for outside in (first - 1, 253_402_300_800_000, 2**53):
        yield {"milliseconds": outside, "expect": {"read": None, "date": outside, "isWritable": False}}


def split_mix(seed):
    while True:
        seed = seed + 0x9E3779B97F4A7C15 & MASK
        mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK
        yield mixed ^ mixed >> 31


def id_cases():
    for seed, milliseconds in enumerate(number for number in NEAR if 0 <= number < 2**48):
        random = split_mix(seed)
        high = milliseconds << 16 | 0x7000 | next(random) & 0xFFF
        low = 1 << 63 | next(random) >> 2
        digits = f"{high:016x}{low:016x}"
        text = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
        below = next(random) * 1_000_000_007 >> 64
        answer = {"text": text, "isReadBack": True, "below": below}
        yield {"seed": f"{seed:x}", "milliseconds": milliseconds, "expect": answer}


def delay_cases():
    for failures in (0, 1, 2, 8, 9, 30, 31, 32, 33, 2**31 - 1):
        yield {"failures": failures, "expect": {"milliseconds": min(300_000, 1000 * 2 ** min(max(failures, 1), 30))}}
    for seconds in (0, 1, 3599, *(number for number in NEAR if number >= 3600)):
        yield {"retryAfter": str(seconds), "now": 0, "expect": {"milliseconds": min(seconds, 3600) * 1000}}
    for retry in (0, 2_147_483, 999_999_999, 2**31, 2**32, 2**64):
        yield {"stream": f"retry: {retry}\n\n", "expect": {"milliseconds": retry if retry < 10**9 else None}}
    now = 1_800_000_000_000
    for text, wait in (
        ("Fri, 15 Jan 2027 08:00:05 GMT", 5000),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 3_600_000),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Fri, 15 Jan 4294967296 08:00:05 GMT", None),
    ):
        yield {"retryAfter": text, "now": now, "expect": {"milliseconds": wait}}


def log_cases():
    """A write-ahead log that SQLite wrote, whole, cut short and with wrong bytes."""
    with tempfile.TemporaryDirectory() as folder:
        database = sqlite3.connect(pathlib.Path(folder) / "db")
        database.executescript("PRAGMA page_size = 512; PRAGMA journal_mode = WAL; CREATE TABLE a(b)")
        for number in range(3):
            database.execute("INSERT INTO a VALUES(?)", (number,))
            database.commit()
        log = (pathlib.Path(folder) / "db-wal").read_bytes()
        database.close()
    frame = 24 + 512
    assert len(log) > 32 + 4 * frame
    for length in (0, 31, 32, 56, 32 + frame - 1, 32 + frame, len(log) - 1, len(log)):
        yield {"bytes": log[:length].hex(), "expect": {"isDamaged": False}}
    for offset in (0, 3, 8, 24, 32 + 16, 32 + frame - 1, 32 + 2 * frame + 100):
        changed = bytearray(log)
        changed[offset] ^= 0x80
        yield {"bytes": changed.hex(), "expect": {"isDamaged": True}}
    # Page sizes that `Int` of 32 bits does not hold.
    for size in (2**31, 2**32 - 1):
        yield {"bytes": (log[:8] + struct.pack(">I", size) + log[12:]).hex(), "expect": {"isDamaged": True}}


def leb128(number):
    coded = bytearray()
    while number >= 0x80:
        coded.append(number & 0x7F | 0x80)
        number >>= 7
    coded.append(number)
    return bytes(coded)


def blob_cases():
    for number in (number for number in NEAR if 0 <= number <= MASK):
        answer = {"leb128": str(number), "number": number if number < 2**31 else None}
        yield {"bytes": leb128(number).hex(), "expect": answer}
    for wrong in ("", "80", "ff" * 10, "80" * 10 + "01"):
        yield {"bytes": wrong, "expect": {"leb128": None, "number": None}}


def run_blob(events, names=(b"a",), count=None, segment=bytes(200)):
    """The blob of a run of events, each with its time, the length of its body and its name's index."""
    blob = leb128(len(events) if count is None else count) + bytes(8)
    blob += leb128(len(names)) + b"".join(leb128(len(name)) + name for name in names)
    last = 0
    for number, (time, length, name) in enumerate(events):
        step = (time - last + 2**63) % 2**64 - 2**63
        blob += struct.pack(">QQ", 1, number)
        blob += leb128(name) + leb128((step << 1 ^ step >> 63) & MASK) + leb128(length)
        last = time
    return blob + segment


def run_cases():
    times = list(filter(is_int64, NEAR))
    for sequence in (50, 2**31, 2**32, 2**53, 2**63 - 1):
        events = [(time, 1 + index % 3, 0) for index, time in enumerate(times[-4:] + times[:70])]
        answer = {
            "events": [[time, length] for time, length, _ in events],
            "sequences": [sequence - len(events) + 1, sequence],
            "isWrittenBack": True,
        }
        yield {"bytes": run_blob(events).hex(), "sequence": sequence, "expect": answer}
    refused = {"events": None, "sequences": [None, None], "isWrittenBack": False}
    for large in (101, 2**17, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 4, 2**63, MASK):
        yield {"bytes": run_blob([(0, 1, 0)] * 4, count=large).hex(), "sequence": 9, "expect": refused}
        if large > 101:
            for place in range(4):
                lengths = [large if place == index else 1 for index in range(4)]
                blob = run_blob([(0, length, 0) for length in lengths])
                yield {"bytes": blob.hex(), "sequence": 9, "expect": refused}
        yield {"bytes": run_blob([(0, 1, large)] * 4).hex(), "sequence": 9, "expect": refused}
        cut = run_blob([(0, 1, 0)] * 4)[:10] + leb128(large) + b"a"
        yield {"bytes": cut.hex(), "sequence": 9, "expect": refused}


def mixed(state, word):
    product = (state ^ word) * 0x9E3779B97F4A7C15 & MASK
    return product ^ product >> 32


def checksum(body):
    state, offset = len(body), 0
    if len(body) >= 32:
        sums = [state + index * 0x9E3779B97F4A7C15 & MASK for index in range(4)]
        while offset + 32 <= len(body):
            words = struct.unpack_from("<4Q", body, offset)
            sums = [mixed(one, word) for one, word in zip(sums, words)]
            offset += 32
        for one in sums:
            state = mixed(state, one)
    while offset + 8 <= len(body):
        state = mixed(state, struct.unpack_from("<Q", body, offset)[0])
        offset += 8
    return mixed(state, int.from_bytes(body[offset:], "big")) >> 32


def checksum_cases():
    for index, sequence in enumerate(filter(is_int64, NEAR)):
        body = bytes((index * 31 + place * 7) % 256 for place in range(index * 2))
        state = mixed(mixed(checksum(body), sequence & MASK), 1 + index)
        answer = {"checksum": checksum(body) | state >> 49 << 32, "fits": True}
        yield {"bytes": body.hex(), "sequence": sequence, "count": 1 + index, "expect": answer}


def age_cases():
    week = 7 * 86_400_000
    for edge in filter(is_int64, NEAR):
        for wall, now in ((0, edge), (edge, 0), (2**63 - 1, edge), (edge, 2**63 - 1)):
            gap = min(max(now - wall, 0), week) if is_int64(now - wall) else 0
            age = min(max(edge, 0), 2**53) + gap + 5_000_000_000
            yield {"age": edge, "wall": wall, "now": now, "uptime": 5_000_000_000, "expect": {"age": age}}


def ledger_cases():
    for sequence in filter(is_int64, NEAR):
        first, last = min(sequence + 1, 2**63 - 1), min(sequence + 64, 2**63 - 1)
        if last - sequence < 64:
            first = last
        answer = {"first": first, "last": last, "isCount": 0 <= sequence <= 2**53}
        yield {"sequence": sequence, "expect": answer}


CASES = {
    "age": age_cases,
    "blob": blob_cases,
    "checksum": checksum_cases,
    "delay": delay_cases,
    "double": double_cases,
    "hash": hash_cases,
    "id": id_cases,
    "ledger": ledger_cases,
    "log": log_cases,
    "number": number_cases,
    "percentage": percentage_cases,
    "run": run_cases,
    "timestamp": timestamp_cases,
}


def write_cases(folder):
    """Writes a file of cases for each kind."""
    files = []
    for kind, cases in CASES.items():
        files.append(folder / f"{kind}.json")
        files[-1].write_text(json.dumps({"kind": kind, "cases": list(cases())}))
    return files
