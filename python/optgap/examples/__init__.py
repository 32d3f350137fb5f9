"""Programs to run and to read. They need more than the package does; each says what."""
