"""Writes the buckets in which other flag systems place units, by formulas that share no code with the evaluator.

    python3 Tests/OpenFeature/schemes.py > Tests/Core/TargetingTests/schemes.jsonl

A line has the parameters of a scheme, the ranges that an importer would write, and a checksum for each 100 of 10,000
units. The checksum covers the bucket of each unit, and the index of the chosen range by the vendor's own comparison.
"""

import hashlib
import json
import struct
import zlib

UNITS = 10_000
CHUNK = 100


class Units:
    """Random units that the test in Swift makes in the same way."""

    letters = ["é", "ß", "Ω", "я", "日", "本", "\u0301", "😀", "👩\u200d🚀", "İ", " ", ":", ".", "\""]

    def __init__(self):
        self.state = 44

    def number(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return self.state >> 33

    def unit(self, kind):
        if kind == 0:
            return str(self.number())
        if kind == 1:
            return f"user-{self.number():x}"
        if kind == 2:
            return "-".join(f"{self.number():08x}" for _ in range(4))
        if kind == 3:
            return f"{self.number() % 1000}.{self.number() % 100_000}@example.com"
        return "".join(self.letters[self.number() % len(self.letters)] for _ in range(1 + self.number() % 40))


def murmur3(text, seed):
    data = text.encode()
    state = seed
    for start in range(0, len(data), 4):
        block = data[start:start + 4]
        word = int.from_bytes(block, "little") * 0xCC9E2D51 % 2**32
        word = (word << 15 | word >> 17) % 2**32 * 0x1B873593 % 2**32
        state ^= word
        if len(block) == 4:
            state = ((state << 13 | state >> 19) % 2**32 * 5 + 0xE6546B64) % 2**32
    state ^= len(data)
    state = (state ^ state >> 16) * 0x85EBCA6B % 2**32
    state = (state ^ state >> 13) * 0xC2B2AE35 % 2**32
    return state ^ state >> 16


def fnv1a(units):
    state = 2166136261
    for unit in units:
        state = (state ^ unit) * 16777619 % 2**32
    return state


def utf16(text):
    data = text.encode("utf-16-le")
    return struct.unpack(f"<{len(data) // 2}H", data)


def first(holds):
    """Returns the index of the first true value, or -1."""
    return next((index for index, value in enumerate(holds) if value), -1)


def unleash(group, rollout):
    def place(unit):
        bucket = murmur3(f"{group}:{unit}", 0) % 100 + 1
        return bucket, first([bucket <= rollout])
    return {"scheme": "unleash", "groupId": group}, [[0, rollout]], place


def unleash_variants(group, weights):
    total = sum(weights)
    ends = [sum(weights[:index + 1]) for index in range(len(weights))]

    def place(unit):
        bucket = murmur3(f"{group}:{unit}", 86028157) % total + 1
        counter = 0
        for index, weight in enumerate(weights):
            counter += weight
            if weight > 0 and counter >= bucket:
                return bucket, index
        return bucket, -1
    parameters = {"scheme": "unleash-variants", "groupId": group, "totalWeight": total}
    return parameters, [list(pair) for pair in zip([0] + ends, ends)], place


def launchdarkly(prefix, parameters, weights):
    ends = [sum(weights[:index + 1]) for index in range(len(weights))]

    def place(unit):
        digits = int(hashlib.sha1(f"{prefix}.{unit}".encode()).hexdigest()[:15], 16)
        total = 0.0
        for index, weight in enumerate(weights):
            total += weight / 100_000
            if digits / (16**15 - 1) < total:
                break
        return digits * 100_000 // (16**15 - 1), index
    return {"scheme": "launchdarkly", **parameters}, [list(pair) for pair in zip([0] + ends, ends)], place


def firebase(seed, ranges):
    def place(unit):
        text = f"{seed}.{unit}" if seed else unit
        bucket = int(hashlib.sha256(text.encode()).hexdigest(), 16) % 100_000_000
        # A lower bound of -1 stands for a condition without a lower bound.
        return bucket, first((low == -1 or bucket > low) and bucket <= high for low, high in ranges)
    return {"scheme": "firebase", **({"seed": seed} if seed else {})}, ranges, place


def flagsmith(key, shares):
    def percentage(number):
        return number / 9998 * 100

    ends = [sum(shares[:index + 1]) for index in range(len(shares))]
    bounds = [sum(percentage(number) < end for number in range(9999)) for end in ends]

    def place(unit):
        times = 1
        while True:
            ids = ",".join([str(key), unit] * times)
            number = int(hashlib.md5(ids.encode()).hexdigest(), 16) % 9999
            if percentage(number) != 100:
                break
            times += 1
        starts = [0] + ends
        return number, first(start <= percentage(number) < end for start, end in zip(starts, ends))
    return {"scheme": "flagsmith", "key": key}, [list(pair) for pair in zip([0] + bounds, bounds)], place


def growthbook(seed, version, ranges):
    count = 1000 if version == 1 else 10_000
    bounds = [[sum(number / count < end for number in range(count)) for end in pair] for pair in ranges]

    def place(unit):
        if version == 1:
            number = fnv1a(utf16(unit + seed)) % 1000
        else:
            number = fnv1a(utf16(str(fnv1a(utf16(seed + unit))))) % 10_000
        return number, first(start <= number / count < end for start, end in ranges)
    return {"scheme": "growthbook", "seed": seed, "hashVersion": version}, bounds, place


def configcat(key, percentages):
    ends = [sum(percentages[:index + 1]) for index in range(len(percentages))]

    def place(unit):
        bucket = int(hashlib.sha1((key + unit).encode()).hexdigest()[:7], 16) % 100
        return bucket, first(bucket < end for end in ends)
    return {"scheme": "configcat", "key": key}, [list(pair) for pair in zip([0] + ends, ends)], place


def goff(flag, percentages):
    total = int(sum(percentages.values()) * 1000)
    start = 0.0
    ranges = []
    for name in sorted(percentages, reverse=True):
        end = start + percentages[name] * 1000
        ranges.append([int(start), int(end)])
        start = end

    def place(unit):
        bucket = fnv1a((flag + unit).encode()) % total
        return bucket, first(low <= bucket < high for low, high in ranges)
    return {"scheme": "goff", "flagName": flag, "maxPercentage": total}, ranges, place


def flipt(flag, rollouts):
    single = [struct.unpack("f", struct.pack("f", rollout))[0] for rollout in rollouts]
    parts = [int(struct.unpack("f", struct.pack("f", rollout * 10))[0]) for rollout in single]
    ends = [sum(parts[:index + 1]) for index in range(len(parts))]

    def place(unit):
        bucket = zlib.crc32((flag + unit).encode()) % 1000
        return bucket, first(end >= bucket + 1 for end in ends)
    return {"scheme": "flipt", "flagKey": flag}, [list(pair) for pair in zip([0] + ends, ends)], place


def flipt_threshold(flag, percentage):
    def place(unit):
        bucket = zlib.crc32((unit + flag).encode()) % 100
        return bucket, first([bucket < percentage])
    return {"scheme": "flipt-threshold", "flagKey": flag}, [[0, percentage]], place


SCHEMES = [
    unleash("new-ui", 37),
    unleash("größe 😀", 100),
    unleash_variants("new-ui", [333, 333, 334]),
    unleash_variants("odd", [1, 0, 2, 0]),
    launchdarkly("hashKey.saltyA", {"key": "hashKey", "salt": "saltyA"}, [60_000, 0, 39_999]),
    launchdarkly("61", {"seed": 61}, [0, 12_345, 87_655]),
    firebase("", [[-1, 10_000_000], [25_500_000, 60_000_000]]),
    firebase("new-ui-seed", [[50_000_000, 100_000_000]]),
    flagsmith(1234, [10.5, 20, 33.3]),
    flagsmith("f6a7", [100]),
    growthbook("feature-key", 1, [[0, 0.3333], [0.5, 0.83]]),
    growthbook("größe 😀", 2, [[0, 0.1], [0.1, 0.55], [0.7, 1]]),
    configcat("string75Cat0Dog25Falcon0Horse", [75, 0, 25]),
    goff("new-ui", {"a": 33.3, "b": 33.3, "c": 33.4}),
    goff("odd", {"True": 0.5, "False": 99.4}),
    flipt("new-ui", [33.33, 33.33, 33.34]),
    flipt_threshold("new-ui", 25),
]


def main():
    generator = Units()
    units = [generator.unit(number % 5) for number in range(UNITS)]
    for parameters, ranges, place in SCHEMES:
        places = ["%d:%d" % place(unit) for unit in units]
        chunks = [",".join(places[start:start + CHUNK]) for start in range(0, UNITS, CHUNK)]
        checksums = [zlib.crc32(chunk.encode()) for chunk in chunks]
        line = {"parameters": parameters, "ranges": ranges, "checksums": checksums}
        print(json.dumps(line, ensure_ascii=False, separators=(",", ":")))


main()
