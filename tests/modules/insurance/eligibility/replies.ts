/** The separators of an interchange. */
type Separators = { element: string; component: string; repetition: string; terminator: string }

const usual: Separators = { element: '*', component: ':', repetition: '^', terminator: '~' }

/**
 * Composes a 271 as clearinghouses send it, with an invented insurer and member. `body` are the segments about the member, written
 * with `*`, `:` and `^`, which become the given separators.
 */
export function compose271(
  body: readonly string[],
  { trace = 'TRACE1', ...over }: Partial<Separators> & { trace?: string } = {},
): string {
  const { element, component, repetition, terminator } = { ...usual, ...over }
  const content = [
    'ST*271*0001*005010X279A1',
    'BHT*0022*11*10001234*20310310*1319',
    'HL*1**20*1',
    'NM1*PR*2*SUMMIT MUTUAL*****PI*842610001',
    'HL*2*1*21*1',
    'NM1*1P*2*HARBOR CLINIC*****SV*2000035',
    'HL*3*2*22*0',
    `TRN*2*${trace}*9EVERCHART`,
    'NM1*IL*1*LIU*GRACE****MI*SM77410093',
    'DMG*D8*19800102*F',
    ...body,
  ]
  const segments = [
    ['GS*HB*SUMMIT*EVERCHART*20310310*1319*1*X*005010X279A1'],
    content,
    [`SE*${content.length + 1}*0001`, 'GE*1*1', 'IEA*1*000000001'],
  ].flat()
  const header = [
    'ISA',
    '00',
    ' '.repeat(10),
    '00',
    ' '.repeat(10),
    'ZZ',
    'SUMMIT'.padEnd(15),
    'ZZ',
    'EVERCHART'.padEnd(15),
    '310310',
    '1319',
    repetition,
    '00501',
    '000000001',
    '0',
    'P',
    component,
  ]
  const translate = (text: string) =>
    text.replaceAll(/[*:^]/g, (sign) => ({ '*': element, ':': component, '^': repetition })[sign] ?? '')
  return [header.join(element), ...segments.map(translate)].map((segment) => `${segment}${terminator}`).join('')
}

/** An active plan of a year, with a deductible and copayments beside it. */
export const activePlan = [
  'DTP*346*D8*20310101',
  'DTP*347*D8*20311231',
  'EB*1**30**SUMMIT GOLD PPO',
  'EB*C*IND*30***23*1500',
  'EB*B*IND*98***27*30',
  'EB*I*IND*35',
]
