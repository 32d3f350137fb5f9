# Invalid: reads, and prints nothing.
import json

json.loads(input())
