"""As there."""

raise RuntimeError("all controllers were imported")

from Gym.parameter_controllers.digits import Digits_ParameterController  # noqa: E402

identifier2controller = {
    "Addition": Digits_ParameterController,
    "Generous": Digits_ParameterController,
    "Lowest": Digits_ParameterController,
    "Pairs": Digits_ParameterController,
    "Refusing": Digits_ParameterController,
}
