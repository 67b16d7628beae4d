print("almanac-worker")
