class Digits_ParameterController:
    """One more digit an update, and two settings a level."""

    def __init__(self):
        self.digits = 1

    def update(self):
        self.digits += 1

    def get_parameter_list(self):
        return [{"digits": self.digits, "style": style} for style in (0, 1)]
