"""Compiles Typst documents. Usage: python documents.py FILE.typ…"""

import sys
import typst

faults = 0
for name in sys.argv[1:]:
    try:
        _, warnings = typst.compile_with_warnings(name, format="pdf")
    except typst.TypstError as error:
        warnings = [error]
    for says in warnings:
        faults += 1
        print(f"{name}: {getattr(says, 'message', says)}", file=sys.stderr)
print(f"Typst: {len(sys.argv) - 1} documents, {faults} faults")
sys.exit(1 if faults or len(sys.argv) == 1 else 0)
