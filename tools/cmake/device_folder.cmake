# device_folder: what another x86-64 Linux with an NVIDIA driver needs to run the program and its tests.
