"""Results made readable: functions of saved results, and of nothing else."""
