/**
 * The layers that each layer may import, besides itself. A layer is a folder or a file; of two that match, the longer name wins.
 * Every file of contracts, backend and web is in one of them.
 */
const values = 'contracts/values'
const contracts = ['contracts', values]

/** Each of these may import those before it. */
const backendChain = [
  'backend/runtime',
  'backend/database',
  'backend/eventstore',
  'backend/encryption',
  'backend/projections',
  'backend/process-managers',
  'backend/jobs',
]
const upTo = (layer: string) => backendChain.slice(0, backendChain.indexOf(layer))

const webChain = ['web/theme.ts', 'web/ui', 'web/api', 'web/forms', 'web/entities', 'web/features', 'web/shell']
const belowForms = ['web/theme.ts', 'web/ui', 'web/api']

const belowModules = [...contracts, ...backendChain, 'backend/http', 'backend/mail', 'backend/sms']
const wholeBackend = [...belowModules, 'backend/modules', 'backend/stand-ins', 'backend/backup']

export const layers: Record<string, readonly string[]> = {
  'contracts/values': [],
  contracts: [values],

  ...Object.fromEntries(backendChain.map((layer) => [layer, [...contracts, ...upTo(layer)]])),
  'backend/http': [...contracts, 'backend/runtime', 'backend/database', 'backend/eventstore', 'backend/encryption'],
  'backend/mail': [values, 'backend/runtime', 'backend/database'],
  'backend/sms': ['backend/mail'],
  'backend/backup': [values, ...backendChain],
  'backend/modules': belowModules,
  'backend/stand-ins': [...belowModules, 'backend/modules'],
  'backend/cli': [...wholeBackend, 'backend/main'],
  'backend/main': wholeBackend,

  'web/theme.ts': [],
  'web/ui': [...contracts, 'web/theme.ts'],
  'web/api': contracts,
  'web/forms': [...contracts, ...belowForms],
  'web/entities': [...contracts, ...belowForms, 'web/forms'],
  'web/features': [...contracts, ...belowForms, 'web/forms', 'web/entities'],
  'web/shell': [...contracts, ...webChain.slice(0, -1)],
  'web/router.tsx': [...contracts, ...webChain],
  'web/main.tsx': [...contracts, ...webChain, 'web/router.tsx', 'web/base.css'],
  'web/base.css': [],
  // Runs before the application has arrived, and is built alone with what it imports: that should be little.
  'web/early': [...contracts, 'web/api'],
  // The public pages load nothing of the application but its colors.
  'web/site': [...contracts, 'web/theme.ts'],
}
