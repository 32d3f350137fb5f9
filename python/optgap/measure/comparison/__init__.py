"""What `optgap compare` and `optgap leaderboard` do. Of compare: rows of two models (model_rows), their pairs (pairing), the
differences as data (differences), and as text and page (comparison_text, comparison_page). docs/compare.md is the guide."""
