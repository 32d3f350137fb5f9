"""Files that outlive a kill."""
