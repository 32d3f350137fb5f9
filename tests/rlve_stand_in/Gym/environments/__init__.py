"""As there: every class imported, and a table of them. The bridge reads this and imports one, since all 400 take seconds."""

raise RuntimeError("all environments were imported")

from Gym.environments.addition import Addition_Environment  # noqa: E402
from Gym.environments.generous import Generous_Environment  # noqa: E402
from Gym.environments.lowest import Lowest_Environment  # noqa: E402
from Gym.environments.pairs import Pairs_Environment  # noqa: E402
from Gym.environments.refusing import Refusing_Environment  # noqa: E402

identifier2environment = {
    "Addition": Addition_Environment,
    "Generous": Generous_Environment,
    "Lowest": Lowest_Environment,
    "Pairs": Pairs_Environment,
    "Refusing": Refusing_Environment,
}
