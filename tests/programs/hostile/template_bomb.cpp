// compile_limit|compile_error
template <class T, int N>
struct twice : twice<twice<T, N - 1>, N - 1> {};
template <class T>
struct twice<T, 0> {
    T* held;
};
int main() { return sizeof(twice<int, 900>); }
