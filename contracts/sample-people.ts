import type { Gender } from './patients.ts'

/** A fictional patient of the sample practice. E-mail addresses are at example.com (RFC 2606). */
export type SamplePerson = {
  firstName: string
  lastName: string
  /** YYYY-MM-DD. */
  dateOfBirth: string
  gender: Gender
  /** One condition per line; null for an empty record. */
  medicalHistory: string | null
  allergies: readonly string[]
  medications: readonly { name: string; dosage: string; frequency: string }[]
}

const person = (
  name: string,
  dateOfBirth: string,
  gender: Gender,
  medicalHistory: string | null = null,
  allergies: readonly string[] = [],
  ...medications: readonly (readonly [name: string, dosage: string, frequency: string])[]
): SamplePerson => {
  const [firstName = '', ...rest] = name.split(' ')
  return {
    firstName,
    lastName: rest.join(' '),
    dateOfBirth,
    gender,
    medicalHistory,
    allergies,
    medications: medications.map(([medication, dosage, frequency]) => ({ name: medication, dosage, frequency })),
  }
}

const daily = 'Once daily'
const twice = 'Twice daily'

/** The forty patients of the sample practice, in order of registration. */
export const samplePeople: readonly SamplePerson[] = [
  person('Aisha Rahman', '1969-07-02', 'female', 'Angina', ['Aspirin'], ['Nitroglycerin', '0.4 mg', 'As needed']),
  person('Maria Alvarez', '1978-03-14', 'female', 'Hypertension', ['Penicillin'], ['Lisinopril', '10 mg', daily]),
  person('Tom Becker', '1984-09-30', 'male', 'Knee replacement, left'),
  person('Priya Raman', '1991-01-08', 'female', 'Migraine', [], ['Sumatriptan', '50 mg', 'As needed']),
  person('James Whitaker', '1957-05-21', 'male', 'High cholesterol', [], ['Atorvastatin', '20 mg', daily]),
  person('Fatima Bennani', '1988-12-11', 'female', 'Hypothyroidism', ['Latex'], ['Levothyroxine', '75 mcg', daily]),
  person('Daniel Kowalski', '1972-02-03', 'male', 'Type 2 diabetes', [], ['Metformin', '500 mg', twice]),
  person('Grace Liu', '1995-10-17', 'female', 'Insomnia', [], ['Melatonin', '3 mg', 'At bedtime']),
  person('Robert Hayes', '1949-04-26', 'male', 'Atrial fibrillation', ['Sulfa drugs'], ['Apixaban', '5 mg', twice]),
  person('Ella Johansson', '2009-06-05', 'female', 'Asthma', ['Peanuts'], ['Albuterol', '90 mcg', 'As needed']),
  person('Marcus Reid', '1981-08-19', 'male', 'Vitamin D deficiency'),
  person('Hannah Novak', '2015-11-28', 'female'),
  person('Samuel Okafor', '1966-01-15', 'male', 'Gout', [], ['Allopurinol', '300 mg', daily]),
  person('Lucia Moretti', '1993-04-09', 'female', null, ['Shellfish']),
  person('Henry Walsh', '1944-10-31', 'male', 'COPD', [], ['Tiotropium', '18 mcg', daily]),
  person('Noor Haddad', '2001-02-22', 'female', 'Iron deficiency', [], ['Ferrous sulfate', '325 mg', daily]),
  person('Peter Lindqvist', '1975-12-02', 'male', 'Lower back pain'),
  person('Amara Diallo', '1987-07-25', 'female', 'Pregnancy, second trimester', [], ['Folic acid', '400 mcg', daily]),
  person('George Papadakis', '1953-03-18', 'male', 'Osteoarthritis', ['Ibuprofen']),
  person('Chloe Martin', '1998-09-12', 'female', 'Anxiety', [], ['Sertraline', '50 mg', daily]),
  person('Diego Fuentes', '1990-05-06', 'male'),
  person('Ingrid Sorensen', '1961-11-20', 'female', 'Osteoporosis', [], ['Alendronate', '70 mg', 'Once weekly']),
  person('Kenji Watanabe', '1979-06-27', 'male', 'Gastric reflux', [], ['Omeprazole', '20 mg', daily]),
  person('Olivia Brooks', '2012-01-30', 'female', 'Seasonal allergies', ['Pollen'], ['Cetirizine', '10 mg', daily]),
  person('Ahmed Farouk', '1970-08-08', 'male', 'Hypertension', [], ['Amlodipine', '5 mg', daily]),
  person('Ruth Abrams', '1947-02-14', 'female', 'Heart failure', [], ['Furosemide', '40 mg', daily]),
  person('Liam Gallagher', '2018-03-03', 'male'),
  person('Zoe Petrova', '1985-10-05', 'female', 'Psoriasis'),
  person('Victor Almeida', '1963-09-09', 'male', 'Sleep apnea'),
  person('Naomi Feldman', '1992-12-24', 'female', 'Celiac disease', ['Gluten']),
  person('Calvin Price', '1958-06-16', 'male', 'Type 2 diabetes', [], ['Insulin glargine', '20 units', 'At bedtime']),
  person('Leila Karimi', '1983-01-11', 'female', 'Migraine', ['Codeine']),
  person('Oscar Jensen', '2006-05-19', 'male', 'Sports injury, ankle'),
  person('Beatrice Cole', '1951-08-23', 'female', 'Glaucoma', [], ['Latanoprost', '1 drop', 'At bedtime']),
  person('Jamal Washington', '1977-04-01', 'male', 'High cholesterol', [], ['Rosuvastatin', '10 mg', daily]),
  person('Sofia Reyes', '2020-07-07', 'female', null, ['Eggs']),
  person('Martin Vogel', '1968-11-13', 'male', 'Depression', [], ['Bupropion', '150 mg', daily]),
  person('Emily Tran', '1996-02-28', 'female'),
  person('Walter Nkosi', '1955-12-19', 'male', 'Prostate enlargement', [], ['Tamsulosin', '0.4 mg', daily]),
  person('Isabel Duarte', '1989-03-26', 'female', 'Eczema', ['Nickel']),
]

/** Returns a patient's phone number (E.164) from the range reserved for fiction (555-0100 to 555-0199). */
export const samplePhone = (index: number): string => `+1617555${String(100 + index).padStart(4, '0')}`

/** Returns a patient's e-mail address. */
export const sampleEmail = ({ firstName, lastName }: SamplePerson): string =>
  `${firstName}.${lastName}@example.com`.toLowerCase()
