"""The mathematics of the labs: numpy and the standard library, nothing else."""
