import type { Answers, FormStatus, FormType } from './values/forms.ts'

/** A form of the sample practice; `person` is the index of its patient in the sample, the age is counted from now. */
type SampleForm = {
  formType: FormType
  title: string
  person: number
  daysAgo: number
  minutesAgo: number
  status: FormStatus
  /** False for a draft, which was not handed in yet. */
  isAnalyzed: boolean
  answers: Answers
}

/** The answers of PHQ-9 or GAD-7, in the order of the items. */
const items = (name: 'phq9' | 'gad7', points: readonly number[]): Answers =>
  Object.fromEntries(points.map((value, index) => [`${name}-${index + 1}`, value]))

/** The forms of the sample practice, newest first, with invented answers. */
export const sampleFormAnswers: readonly SampleForm[] = [
  {
    formType: 'intake',
    title: 'New patient intake',
    person: 5,
    daysAgo: 0,
    minutesAgo: 34,
    status: 'pending',
    isAnalyzed: true,
    answers: {
      reason: 'My neck looks swollen, and I am tired all day since September.',
      'reason-since': 'About ten weeks',
      operations: 'Appendix, 2009',
      medicines: 'Levothyroxine 75 in the morning with my iron tablet and coffee. Ibuprofen sometimes.',
      'has-allergies': false,
      'medicine-reactions': 'Amoxicillin gave me a rash all over in 2014, I stopped after two days.',
      'family-illnesses': 'My mother had her thyroid removed at 44, my father has high blood pressure.',
      smokes: false,
      alcohol: 'monthly',
      exercise: 'Walking, cutting down on cigarettes too',
      phone: '(617) 555-0142',
      'emergency-contact-name': 'Karim Bennani',
      'emergency-contact-phone': '(617) 555-0143',
      signature: 'Fatima Bennani',
    },
  },
  {
    formType: 'assessment',
    title: 'Sleep and mood questionnaire',
    person: 7,
    daysAgo: 0,
    minutesAgo: 170,
    status: 'pending',
    isAnalyzed: true,
    answers: {
      ...items('phq9', [2, 2, 3, 3, 1, 1, 2, 0, 1]),
      'phq9-difficulty': 2,
      ...items('gad7', [1, 1, 2, 2, 0, 1, 0]),
      'gad7-difficulty': 1,
    },
  },
  {
    formType: 'consent',
    title: 'Consent for procedure',
    person: 8,
    daysAgo: 1,
    minutesAgo: 20,
    status: 'pending',
    isAnalyzed: false,
    answers: { procedure: 'Cardioversion', 'explained-by': 'Dr. Chen' },
  },
  {
    formType: 'medical-history',
    title: 'Medical history update',
    person: 8,
    daysAgo: 1,
    minutesAgo: 45,
    status: 'reviewed',
    isAnalyzed: true,
    answers: {
      conditions: ['high-blood-pressure', 'heart-disease'],
      operations: 'Left knee, 2016',
      allergies: 'Sulfa drugs',
      medicines: 'Apixaban 5 mg twice a day, ibuprofen when my knee hurts',
      'family-illnesses': 'My brother had a stroke at 70.',
      pregnancy: 'not-applicable',
    },
  },
  {
    formType: 'insurance',
    title: 'Insurance information',
    person: 7,
    daysAgo: 2,
    minutesAgo: 90,
    status: 'completed',
    isAnalyzed: true,
    answers: {
      insurer: 'Blue Harbor Health',
      'policy-number': 'BH-4471902',
      'group-number': '7715',
      'member-name': 'Grace Liu',
      'member-date-of-birth': '1995-10-17',
      relationship: 'self',
      'has-secondary': false,
    },
  },
  {
    formType: 'medical-history',
    title: 'Asthma assessment',
    person: 9,
    daysAgo: 3,
    minutesAgo: 60,
    status: 'completed',
    isAnalyzed: true,
    answers: {
      conditions: ['asthma'],
      allergies: 'Peanuts',
      medicines: 'Albuterol before sports',
      immunizations: 'Flu shot in October',
    },
  },
]
