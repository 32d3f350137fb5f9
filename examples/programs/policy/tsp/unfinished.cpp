// Invalid: does not compile.
int main() { return best_tour(); }
