import type { Answers, FindingSeverity, FormType } from '#contracts/values/forms.ts'
import type { Chart } from '#modules/assistant/rules/rule.ts'

type ExpectedFinding = readonly [severity: FindingSeverity, text: string, ...quotes: string[]]

/** A form as a patient fills it in, and all findings on it. All people are invented. */
export type Example = {
  name: string
  formType: FormType
  answers: Answers
  chart?: Partial<Chart>
  /** The practice's local date. */
  today?: string
  findings: readonly ExpectedFinding[]
}

/** The required answers of each type, about which there is nothing to find. */
const complete: Readonly<Record<FormType, Answers>> = {
  intake: {
    reason: 'Yearly check-up',
    'has-allergies': false,
    smokes: false,
    phone: '(617) 555-0101',
    'emergency-contact-name': 'Ruth Calder',
    'emergency-contact-phone': '(617) 555-0102',
    signature: 'Owen Calder',
  },
  'medical-history': { allergies: 'None', medicines: 'None' },
  consent: {
    procedure: 'Removal of a mole on the left arm',
    'explained-by': 'Dr. Okonkwo',
    understood: true,
    agrees: true,
    date: '2026-11-20',
    signature: 'Ines Varga',
  },
  insurance: {
    insurer: 'Granite State Mutual',
    'policy-number': 'GSM-204117',
    'member-name': 'Tobias Renn',
    'member-date-of-birth': '1979-05-02',
    relationship: 'self',
    'has-secondary': false,
  },
  assessment: {},
}

const example = (
  formType: FormType,
  name: string,
  answers: Answers,
  findings: readonly ExpectedFinding[] = [],
  more: Pick<Example, 'chart' | 'today'> = {},
): Example => ({ name, formType, answers: { ...complete[formType], ...answers }, findings, ...more })

const items = (id: 'phq9' | 'gad7', points: readonly number[]): Answers =>
  Object.fromEntries(points.map((value, index) => [`${id}-${index + 1}`, value]))

const nearlyDaily = 'Nearly every day'
const overHalf = 'More than half the days'
const severalDays = 'Several days'

export const examples: readonly Example[] = [
  // Intake: symptoms.
  example('intake', 'a healthy person', { exercise: 'I run twice a week', alcohol: 'monthly', medicines: 'None' }),
  example(
    'intake',
    'chest pain on the stairs',
    { reason: 'My chest hurts when I climb the stairs. It started last week.' },
    [['urgent', 'Mentions chest pain', 'My chest hurts when I climb the stairs']],
  ),
  example('intake', 'symptoms that are all denied', {
    reason: 'Cough for two weeks. No chest pain, fever or shortness of breath, and I have never fainted.',
  }),
  example(
    'intake',
    'a denial that ends with "but"',
    { reason: 'No fever, but I get short of breath when I lie down.' },
    [['urgent', 'Mentions shortness of breath', 'No fever, but I get short of breath when I lie down']],
  ),
  example('intake', 'symptoms of relatives', {
    reason: 'My father had chest pain for years before his bypass, so I want my heart checked.',
    'family-illnesses': 'Mother: shortness of breath, stroke with slurred speech at 70. My brother died by suicide.',
  }),
  example(
    'intake',
    'a symptom that a relative saw',
    { reason: 'My wife says I passed out for a minute at dinner on Sunday.' },
    [['urgent', 'Mentions fainting', 'My wife says I passed out for a minute at dinner on Sunday']],
  ),
  example('intake', 'a double negation', { exercise: 'None, I can’t walk to the mailbox without chest pain' }, [
    ['urgent', 'Mentions chest pain', 'None, I can’t walk to the mailbox without chest pain'],
  ]),
  example('intake', 'a symptom of long ago', { operations: 'Appendix 2009. Fainted once in 2012, nothing found.' }, [
    ['attention', 'Mentions fainting at an earlier time', 'Fainted once in 2012, nothing found'],
  ]),
  example(
    'intake',
    'thoughts of suicide between other things',
    { reason: 'Bad sleep since the divorce. Sometimes I think everyone would be better off without me.' },
    [
      [
        'urgent',
        'Mentions suicidal thoughts or self-harm',
        'Sometimes I think everyone would be better off without me',
      ],
    ],
  ),
  example('intake', 'an injury that is no self-harm', {
    reason: 'I hurt myself lifting boxes at work, lower back. I am not suicidal or anything, just tired of the pain.',
  }),
  example(
    'intake',
    'signs of a stroke',
    { reason: 'Yesterday my left arm suddenly went numb and my speech was slurred' },
    [
      [
        'urgent',
        'Mentions sudden weakness, numbness or trouble with speech',
        'Yesterday my left arm suddenly went numb and my speech was slurred',
      ],
    ],
  ),
  example(
    'intake',
    'the worst headache and blood',
    { reason: 'Worst headache of my life since this morning.\nAlso there was blood in my stool twice this week.' },
    [
      ['urgent', 'Mentions blood in stool, vomit or urine', 'Also there was blood in my stool twice this week'],
      ['urgent', 'Mentions a sudden or worst headache', 'Worst headache of my life since this morning'],
    ],
  ),
  example(
    'intake',
    'weight that was lost, and weight that was meant to be',
    { reason: 'I lost 20 pounds since summer without trying.', exercise: 'In 2019 I lost 10 kg with a diet' },
    [['attention', 'Mentions unexplained weight loss', 'I lost 20 pounds since summer without trying']],
  ),
  example('intake', 'blood that is coughed up', { reason: 'Coughing up a little blood in the mornings, no fever' }, [
    ['urgent', 'Mentions coughing blood', 'Coughing up a little blood in the mornings, no fever'],
  ]),
  example(
    'intake',
    'bleeding in a pregnancy',
    { reason: 'I am 10 weeks pregnant and have had some bleeding since last night' },
    [
      [
        'urgent',
        'Is pregnant and mentions bleeding',
        'I am 10 weeks pregnant and have had some bleeding since last night',
      ],
    ],
  ),
  example('intake', 'a pregnant wife and bleeding gums', {
    reason: 'My wife is pregnant, so I should get my shots. My gums are bleeding when I brush.',
  }),
  example('intake', 'a patient who is not safe', { reason: 'Bruises. I don’t feel safe at home right now.' }, [
    ['urgent', 'Mentions violence or not being safe at home', 'I don’t feel safe at home right now'],
  ]),

  // Intake: allergies and medicines.
  example(
    'intake',
    'a penicillin for a patient with an allergy to it',
    {
      'has-allergies': true,
      allergies: 'Penicillin (hives)',
      medicines: 'Augmentin since Monday from urgent care, vitamin D',
    },
    [
      [
        'urgent',
        'Takes amoxicillin, and has an allergy to penicillin, of the same class',
        'Augmentin since Monday from urgent care, vitamin D',
        'Penicillin (hives)',
      ],
    ],
  ),
  example(
    'intake',
    'an allergy that only the chart knows',
    { medicines: 'Bactrim for a bladder infection' },
    [
      [
        'urgent',
        'Takes sulfamethoxazole, and has an allergy to sulfa (in the chart), of the same class',
        'Bactrim for a bladder infection',
      ],
      ['attention', 'Denies allergies, but the chart lists Sulfa drugs', 'No'],
    ],
    { chart: { allergies: ['Sulfa drugs'] } },
  ),
  example(
    'intake',
    'an allergy to a medicine of the chart',
    { 'has-allergies': true, allergies: 'I am allergic to aspirin, my face swells up' },
    [
      [
        'urgent',
        'Takes naproxen (in the chart), and has an allergy to aspirin, of the same class',
        'I am allergic to aspirin, my face swells up',
      ],
    ],
    { chart: { medications: ['Naproxen 500 mg'] } },
  ),
  example('intake', 'sulfonamides and iodine that do not cross-react', {
    'has-allergies': true,
    allergies: 'Sulfa antibiotics, shellfish',
    medicines: 'Furosemide 20 mg, hydrochlorothiazide, amiodarone',
  }),
  example(
    'intake',
    'a related antibiotic',
    { 'has-allergies': true, allergies: 'penicillin', medicines: 'Keflex 500 four times a day' },
    [
      [
        'attention',
        'Takes cephalexin, and has an allergy to penicillin, which can cross-react',
        'Keflex 500 four times a day',
        'penicillin',
      ],
    ],
  ),
  example(
    'intake',
    'a stomach upset that is no allergy',
    {
      'has-allergies': true,
      allergies: 'Bee stings',
      'medicine-reactions': 'Codeine made me sick to my stomach',
      medicines: 'Codeine after the dentist, two days',
    },
    [
      [
        'attention',
        'Takes codeine, and has a reaction to codeine',
        'Codeine after the dentist, two days',
        'Codeine made me sick to my stomach',
      ],
    ],
  ),
  example('intake', 'a medicine that is avoided, and one that was stopped', {
    'has-allergies': true,
    allergies: 'Ibuprofen - wheezing',
    medicines: 'Tylenol instead of ibuprofen. Stopped naproxen in March.',
  }),
  example(
    'intake',
    'no allergies, but a rash from an antibiotic',
    { 'medicine-reactions': 'Amoxicillin gave me a rash all over as a kid' },
    [
      [
        'attention',
        'Denies allergies, but describes an allergy or a reaction to a medicine',
        'No',
        'Amoxicillin gave me a rash all over as a kid',
      ],
    ],
  ),
  example('intake', 'no allergies, and no reactions', {
    'medicine-reactions': 'No, never had any problems',
    allergies: 'none',
  }),
  example(
    'intake',
    'iron at the same time as levothyroxine',
    { medicines: 'Levothyroxine 75 in the morning with my iron tablet' },
    [
      [
        'attention',
        'Takes levothyroxine with iron: it is absorbed less when both are taken within four hours',
        'Levothyroxine 75 in the morning with my iron tablet',
      ],
    ],
  ),
  example(
    'intake',
    'a pain medicine with the warfarin of the chart',
    { reason: 'Knee pain. I take Advil most days for it.' },
    [
      [
        'attention',
        'Takes warfarin (in the chart) with ibuprofen: higher risk of bleeding',
        'I take Advil most days for it',
      ],
    ],
    { chart: { medications: ['Warfarin 5 mg'] } },
  ),
  example(
    'intake',
    'two medicines that must not be taken together',
    { medicines: 'Nitroglycerin spray when needed, Viagra sometimes. I no longer take warfarin.' },
    [
      [
        'urgent',
        'Takes sildenafil with nitroglycerin: contraindicated, blood pressure may fall dangerously',
        'Nitroglycerin spray when needed, Viagra sometimes',
      ],
    ],
  ),
  example(
    'intake',
    'no smoking, but cigarettes',
    { exercise: 'Not much, I get winded after two cigarettes', 'cigarettes-per-day': 0 },
    [['attention', 'Denies smoking, but mentions cigarettes', 'No', 'Not much, I get winded after two cigarettes']],
  ),
  example('intake', 'a former smoker with a smoking husband', {
    reason: 'Cough. I quit smoking in 2015. My husband smokes two packs a day.',
  }),
  example('intake', 'required answers that are missing', { phone: '', 'has-allergies': true, signature: '  ' }, [
    [
      'info',
      '3 required answers are missing: "Which allergies do you have?", "Phone number" and "Signed by"',
      'Not answered',
      'Not answered',
      'Not answered',
    ],
  ]),

  // Medical history.
  example('medical-history', 'conditions without a concern', {
    conditions: ['asthma', 'stroke'],
    operations: 'Gallbladder 2018',
    immunizations: 'Tetanus 2021',
    pregnancy: 'no',
  }),
  example(
    'medical-history',
    'a pregnancy with a harmful medicine',
    { pregnancy: 'yes', medicines: 'Lisinopril 10 mg, prenatal vitamins' },
    [
      [
        'urgent',
        'Is pregnant and takes lisinopril, which can harm the child',
        'Lisinopril 10 mg, prenatal vitamins',
        'Yes',
      ],
    ],
  ),
  example(
    'medical-history',
    'no allergies in one answer, one in another',
    { allergies: 'None known', 'hospital-stays': '2016: I had an allergic reaction to morphine after surgery' },
    [
      [
        'attention',
        'Denies allergies, but describes an allergy or a reaction to a medicine',
        'None known',
        '2016: I had an allergic reaction to morphine after surgery',
      ],
    ],
  ),
  example(
    'medical-history',
    'an opioid with a benzodiazepine',
    { medicines: 'oxycodone 5 for my back; Xanax at night', allergies: 'cats' },
    [
      [
        'urgent',
        'Takes oxycodone with alprazolam: breathing may slow down dangerously',
        'oxycodone 5 for my back',
        'Xanax at night',
      ],
    ],
  ),

  // Consent.
  example('consent', 'a consent that is one', { questions: 'None' }),
  example('consent', 'a refusal', { agrees: false }, [
    ['attention', 'Has understood the procedure, but does not agree to it', 'Yes', 'No'],
  ]),
  example('consent', 'a consent without a signature', { signature: '' }, [
    ['attention', 'Agrees, but has not signed', 'Yes', 'Not answered'],
  ]),
  example(
    'consent',
    'a consent without understanding',
    { understood: false, questions: 'Could I faint afterwards? How long will I be off work?' },
    [
      ['urgent', 'Agrees to a procedure without having understood it', 'No', 'Yes'],
      ['info', 'Has a question about the procedure', 'Could I faint afterwards? How long will I be off work?'],
    ],
  ),
  example(
    'consent',
    'contrast and latex, to which there are allergies',
    { procedure: 'CT of the abdomen with contrast' },
    [
      [
        'urgent',
        'Is to be given contrast medium, and has an allergy to contrast medium (in the chart)',
        'CT of the abdomen with contrast',
      ],
      [
        'attention',
        'A procedure is planned, and there is an allergy to latex (in the chart)',
        'CT of the abdomen with contrast',
      ],
    ],
    { chart: { allergies: ['Iodine contrast', 'Latex'] } },
  ),

  // Insurance.
  example('insurance', 'valid coverage', { 'valid-until': '2026-11-26' }, [], { today: '2026-11-26' }),
  example(
    'insurance',
    'coverage that ended yesterday',
    { 'valid-until': '2026-11-25' },
    [['attention', 'The coverage has ended or is about to end', 'November 25, 2026']],
    { today: '2026-11-26' },
  ),
  example(
    'insurance',
    'a card that is missing, and a second insurance that lapsed',
    {
      'policy-number': 'will bring the card',
      'has-secondary': true,
      'secondary-insurer': 'Harbor Dental, but it lapsed in June',
      'secondary-policy-number': 'HD 77102',
    },
    [
      [
        'attention',
        'There is no policy number for Granite State Mutual',
        'will bring the card',
        'Granite State Mutual',
      ],
      ['attention', 'The coverage has ended or is about to end', 'Harbor Dental, but it lapsed in June'],
    ],
  ),

  // Assessment.
  example('assessment', 'low scores', {
    ...items('phq9', [1, 0, 1, 1, 0, 0, 0, 0, 0]),
    'phq9-difficulty': 3,
    ...items('gad7', [0, 1, 1, 0, 0, 2, 0]),
  }),
  example('assessment', 'a moderate depression', { ...items('phq9', [2, 2, 3, 2, 1, 0, 0, 0, 0]) }, [
    [
      'attention',
      'PHQ-9: 10 of 27, Moderate: signs of depression',
      nearlyDaily,
      overHalf,
      overHalf,
      overHalf,
      severalDays,
    ],
  ]),
  example(
    'assessment',
    'a severe anxiety',
    { ...items('gad7', [3, 3, 3, 2, 2, 1, 1]), ...items('phq9', [1, 1, 1, 1, 0, 0, 0, 0, 0]) },
    [
      [
        'urgent',
        'GAD-7: 15 of 21, Severe: signs of anxiety',
        nearlyDaily,
        nearlyDaily,
        nearlyDaily,
        overHalf,
        overHalf,
      ],
    ],
  ),
  example('assessment', 'thoughts of death with a minimal total', { ...items('phq9', [0, 0, 1, 0, 0, 0, 0, 0, 1]) }, [
    ['urgent', 'Has had thoughts of death or self-harm in the last 2 weeks (PHQ-9, item 9)', severalDays],
  ]),
  example('assessment', 'an incomplete score', { 'phq9-1': 3, 'phq9-2': 3 }, [
    [
      'info',
      'PHQ-9 is incomplete, 2 of 9',
      'Not answered',
      'Not answered',
      'Not answered',
      'Not answered',
      'Not answered',
    ],
  ]),
  example(
    'assessment',
    'thoughts of death in an incomplete score',
    { 'phq9-9': 3, ...items('gad7', [1, 1, 1, 1, 1, 1]) },
    [
      ['urgent', 'Has had thoughts of death or self-harm in the last 2 weeks (PHQ-9, item 9)', nearlyDaily],
      [
        'info',
        'PHQ-9 is incomplete, 1 of 9',
        'Not answered',
        'Not answered',
        'Not answered',
        'Not answered',
        'Not answered',
      ],
      ['info', 'GAD-7 is incomplete, 6 of 7', 'Not answered'],
    ],
  ),
]
