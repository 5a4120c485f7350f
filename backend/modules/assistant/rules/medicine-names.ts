/**
 * Medicines by class: the name that is shown, then brands and other spellings that patients write, which may be regular
 * expressions. These are the classes that allergies and interactions of this folder name, not all medicines.
 */
const namesByClass = {
  penicillin: [
    ['penicillin', 'penicilin', 'pen[- ]?vk'],
    ['amoxicillin', 'amoxicilin', 'amoxil', 'augmentin', 'co-amoxiclav'],
    ['ampicillin'],
    ['piperacillin', 'zosyn'],
    ['dicloxacillin'],
    ['nafcillin'],
  ],
  cephalosporin: [
    ['cephalosporin'],
    ['cephalexin', 'cefalexin', 'keflex'],
    ['cefuroxime', 'ceftin'],
    ['cefdinir', 'omnicef'],
    ['ceftriaxone', 'rocephin'],
    ['cefazolin'],
    ['cefixime'],
  ],
  'sulfonamide antibiotic': [
    ['sulfa', 'sulfonamide', 'sulfa drug', 'sulfa antibiotic'],
    ['sulfamethoxazole', 'bactrim', 'septra', 'co-?trimoxazole'],
    ['sulfadiazine'],
    ['sulfasalazine', 'azulfidine'],
  ],
  NSAID: [
    ['anti-inflammatories', 'anti-inflammatory', 'nsaid'],
    ['aspirin', 'acetylsalicylic acid', 'ecotrin'],
    ['ibuprofen', 'ibuprofin', 'advil', 'motrin'],
    ['naproxen', 'aleve', 'naprosyn'],
    ['diclofenac', 'voltaren'],
    ['ketorolac', 'toradol'],
    ['meloxicam', 'mobic'],
    ['indomethacin'],
  ],
  opioid: [
    ['opioids', 'opioid', 'opiate'],
    ['codeine', 'tylenol (?:#|no\\.? ?)?3'],
    ['morphine'],
    ['hydrocodone', 'vicodin', 'norco'],
    ['oxycodone', 'percocet', 'oxycontin'],
    ['hydromorphone', 'dilaudid'],
    ['tramadol', 'ultram'],
    ['fentanyl'],
  ],
  // Iodine on the skin and shellfish are other allergies, which do not concern contrast media (ACR Manual on Contrast Media).
  'iodinated contrast': [
    [
      'contrast medium',
      '(?:iodinated|iodine|iv|ct|x-?ray) (?:contrast|dye)',
      'contrast (?:dye|agent|media|material)',
      '(?:with|using) contrast',
      'iodine contrast (?:dye|medium|media)',
    ],
    ['iohexol', 'omnipaque'],
    ['iopamidol', 'isovue'],
    ['iodixanol', 'visipaque'],
  ],
  'ACE inhibitor': [
    ['ACE inhibitor'],
    ['lisinopril', 'zestril', 'prinivil'],
    ['enalapril', 'vasotec'],
    ['ramipril', 'altace'],
    ['benazepril', 'lotensin'],
    ['captopril'],
  ],
  macrolide: [['azithromycin', 'zithromax', 'z-?pac?k'], ['clarithromycin', 'biaxin'], ['erythromycin']],
  fluoroquinolone: [
    ['ciprofloxacin', 'cipro'],
    ['levofloxacin', 'levaquin'],
    ['moxifloxacin', 'avelox'],
  ],
  tetracycline: [['tetracycline'], ['doxycycline'], ['minocycline']],
  latex: [['latex']],
  levothyroxine: [['levothyroxine', 'synthroid', 'euthyrox', 'levoxyl']],
  mineral: [
    ['iron', 'ferrous(?: sulfate)?', 'iron (?:tablet|pill|supplement)'],
    ['calcium(?! channel)', 'tums'],
  ],
  warfarin: [['warfarin', 'coumadin', 'jantoven']],
  anticoagulant: [
    ['apixaban', 'eliquis'],
    ['rivaroxaban', 'xarelto'],
    ['dabigatran', 'pradaxa'],
    ['edoxaban', 'savaysa'],
  ],
  antidepressant: [
    ['sertraline', 'zoloft'],
    ['fluoxetine', 'prozac'],
    ['citalopram', 'celexa'],
    ['escitalopram', 'lexapro'],
    ['paroxetine', 'paxil'],
    ['venlafaxine', 'effexor'],
    ['duloxetine', 'cymbalta'],
  ],
  'MAO inhibitor': [
    ['phenelzine', 'nardil'],
    ['tranylcypromine', 'parnate'],
    ['isocarboxazid', 'marplan'],
    ['linezolid', 'zyvox'],
  ],
  tramadol: [['tramadol', 'ultram']],
  nitrate: [['nitroglycerin', 'nitrostat', 'nitro spray'], ['isosorbide']],
  'PDE-5 inhibitor': [
    ['sildenafil', 'viagra'],
    ['tadalafil', 'cialis'],
    ['vardenafil', 'levitra'],
  ],
  potassium: [
    ['potassium', 'klor-?con'],
    ['spironolactone', 'aldactone'],
  ],
  methotrexate: [['methotrexate', 'trexall']],
  trimethoprim: [['trimethoprim', 'bactrim', 'septra', 'co-?trimoxazole']],
  benzodiazepine: [
    ['lorazepam', 'ativan'],
    ['alprazolam', 'xanax'],
    ['diazepam', 'valium'],
    ['clonazepam', 'klonopin'],
    ['temazepam'],
  ],
  lithium: [['lithium', 'lithobid']],
  clopidogrel: [['clopidogrel', 'plavix']],
  omeprazole: [
    ['omeprazole', 'prilosec'],
    ['esomeprazole', 'nexium'],
  ],
  simvastatin: [['simvastatin', 'zocor']],
  "St. John's wort": [["St. John's wort", "St\\.? John'?s wort"]],
  'hormonal contraceptive': [['birth control pill', '(?:birth control|contraceptive|the) pill', 'oral contraceptive']],
  isotretinoin: [['isotretinoin', 'accutane']],
  valproate: [['valproate', 'valproic acid', 'depakote', 'divalproex']],
} as const satisfies Record<string, readonly (readonly string[])[]>

export type MedicineClass = keyof typeof namesByClass

/** A medicine of one class. One that belongs to several classes is an entry of each. */
export type Medicine = { name: string; medicineClass: MedicineClass; pattern: RegExp }

const classes = Object.keys(namesByClass) as MedicineClass[]

/** The name of an entry without what only its regular expression contains. */
const toName = (first: string) => first.replace(/\(.*$/, '')

export const medicines: readonly Medicine[] = classes.flatMap((medicineClass) =>
  namesByClass[medicineClass].map((names: readonly string[]) => ({
    name: toName(names[0] ?? ''),
    medicineClass,
    pattern: new RegExp(String.raw`(?<![\w-])(?:${names.join('|')})s?(?![\w-])`, 'gi'),
  })),
)
