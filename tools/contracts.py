# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""An import contract of our own: modules chosen by the pattern of their name."""

from fnmatch import fnmatchcase

from importlinter import Contract, ContractCheck, fields, output


class NodeFilesContract(Contract):
    """Modules whose name fits a pattern import none of the forbidden modules themselves."""

    pattern = fields.StringField()
    forbidden_modules = fields.SetField(subfield=fields.StringField())

    def check(self, graph, verbose):
        """Look at what each fitting module imports directly."""
        broken = []
        for module in sorted(graph.modules):
            if not fnmatchcase(module, self.pattern):
                continue
            for imported in sorted(graph.find_modules_directly_imported_by(module)):
                if imported.split('.')[0] in self.forbidden_modules:
                    broken.append(f'{module} imports {imported}')
        return ContractCheck(kept=not broken, metadata={'broken': broken})

    def render_broken_contract(self, check):
        """Print one line for each import that should not be there."""
        for line in check.metadata['broken']:
            output.print_error(f'- {line}')
