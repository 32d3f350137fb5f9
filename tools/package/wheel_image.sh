#!/usr/bin/env bash
# Inside of PyPA's manylinux_2_28 images (pyproject.toml, cibuildwheel), whose packages are AlmaLinux's.
#
#   wheel_image.sh                       installs the headers that the build needs
#   wheel_image.sh repair WHEEL DIR      checks the wheel as tools/wheels.sh does, and names its platform
set -euo pipefail
cd "$(dirname "$0")/../.."

if [[ ${1:-} == repair ]]; then
    unpacked=$(mktemp -d)
    python3 -m zipfile -e "$2" "$unpacked"
    find "$unpacked" -type f \( -name '*.so' -o -path '*/bin/optgap' \) -print0 |
        xargs -0 tools/check_binary.sh portable --glibc 2.28
    if [[ -d $unpacked/optgap ]]; then
        tools/check_binary.sh module "$unpacked/optgap"
        tools/check_binary.sh size "$2" 10
    fi
    exec auditwheel repair --wheel-dir "$3" "$2"
fi
dnf install -y epel-release
# SQLite is packaged as a shared library alone, so these wheels have none, and say so.
# Random123 is not packaged: its headers are cuRAND's, whose package needs no compiler and no GPU.
dnf config-manager --add-repo \
    "https://developer.download.nvidia.com/compute/cuda/repos/rhel8/$([[ $(uname -m) == aarch64 ]] && echo sbsa || echo x86_64)/cuda-rhel8.repo"
dnf install -y fmt-devel json-devel cli11-devel xxhash-devel libcurand-devel-13-0
