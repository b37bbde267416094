"""The command line: each command is a thin wrapper over the public function of the same name."""
