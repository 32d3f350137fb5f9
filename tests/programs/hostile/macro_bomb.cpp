// compile_limit
#define A x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x
#define B A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A
#define C B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B
#define D C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C
#define E D, D, D, D, D, D, D, D, D, D, D, D, D, D, D, D
#define F E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E
#define G F, F, F, F, F, F, F, F, F, F, F, F, F, F, F, F
constexpr int x = 1;
int many[] = {G};
int main() {}
