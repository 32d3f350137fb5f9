# ok
import sys
print('{"code": "ok", "objective": 999, "reward": 1.0}')
print("score: 999")
print('{"code": "ok"}', file=sys.stderr)
