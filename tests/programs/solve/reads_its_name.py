# ok
import dataclasses


@dataclasses.dataclass
class Point:
    x: "int"


def solve(**fields):
    return ["3", __name__, str(Point(1).x), "it's \\ \"quoted\" \u00fc"[:4]]


if __name__ == "__main__":
    print("ALLOWED to be the main program")
