# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bill of materials of a release's archive, in SPDX 2.3 (https://spdx.github.io/spdx-spec/v2.3), as JSON:
the archive with its sha256 and licence, and what it is built with, in the versions that a build has found."""

import json

# By the names that cmake/FindDependencies.cmake writes: page, and licence where all versions that we build with
# have the same.
DEPENDENCIES = {
    "Kokkos": ("https://kokkos.org", None),  # BSD-3-Clause before 4
    "KokkosKernels": ("https://kokkos.org", None),
    "MPI": ("https://www.mpi-forum.org", None),  # a standard, whose version is given
    "HDF5": ("https://www.hdfgroup.org", None),
    "yaml-cpp": ("https://github.com/jbeder/yaml-cpp", "MIT"),
    "CLI11": ("https://github.com/CLIUtils/CLI11", "BSD-3-Clause"),
    "fmt": ("https://fmt.dev", "MIT"),
    "Boost": ("https://www.boost.org", "BSL-1.0"),
    "OpenSSL": ("https://www.openssl.org", None),  # Apache-2.0 from 3 on
    "FFTW": ("https://www.fftw.org", "GPL-2.0-or-later"),
}
OPTIONAL = ("MPI", "FFTW")
NONE = "NOASSERTION"


def package(name, version, page, licence, **more):
    return {"name": name, "SPDXID": f"SPDXRef-{name}", **({"versionInfo": version} if version else {}),
            "downloadLocation": NONE, "homepage": page, "filesAnalyzed": False, "licenseConcluded": NONE,
            "licenseDeclared": licence or NONE, "copyrightText": NONE, **more}


def relation(one, kind, other):
    return {"spdxElementId": f"SPDXRef-{one}", "relationshipType": kind, "relatedSpdxElement": f"SPDXRef-{other}"}


def text_of(version, date, address, archive, sha256, licence, found):
    """The document, the same wherever and whenever it is made with the same versions: `found`, by name."""
    own = package("Rivulet", version, address, licence, packageFileName=archive,
                  checksums=[{"algorithm": "SHA256", "checksumValue": sha256}], primaryPackagePurpose="SOURCE",
                  copyrightText="2026 The Rivulet Authors")
    others = [package(name, found.get(name), *facts) for name, facts in DEPENDENCIES.items()]
    relations = [relation("DOCUMENT", "DESCRIBES", "Rivulet")]
    relations += [relation(name, "OPTIONAL_DEPENDENCY_OF" if name in OPTIONAL else "DEPENDENCY_OF", "Rivulet")
                  for name in DEPENDENCIES]
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"rivulet-{version}", "documentNamespace": f"{address}/spdx/rivulet-{version}-{sha256[:16]}",
        "creationInfo": {"created": f"{date}T12:00:00Z", "creators": ["Tool: scripts-release"]},
        "packages": [own, *others], "relationships": relations}, indent=1) + "\n"
