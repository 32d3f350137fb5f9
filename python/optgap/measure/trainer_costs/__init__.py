"""The seconds that rewards cost beside a trainer's step (`optgap bench-trainer`)."""
