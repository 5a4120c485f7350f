import { MailLink, TextPage } from '#web/site/parts.tsx'

/** `/security`: what is protected how, and what is not claimed. */
export function SecurityPage() {
  return (
    <TextPage
      title="Security"
      lead="What is encrypted, who can read what, how the record is proven, and what we do not claim."
    >
      <h2>What is encrypted</h2>
      <p>
        Names, contact data and health data of patients are encrypted before they are stored, with a key of their own
        for each patient (AES-256-GCM). The keys are encrypted with the master key of the installation, which is not in
        the database. Columns with clinical data are sealed in the tables for the screens too. A copy of the database
        alone cannot be read.
      </p>
      <p>
        When a patient’s data has to be erased, the key is destroyed. What was encrypted with it can no longer be read,
        in any backup. That something was recorded, and when, stays.
      </p>
      <p>
        Between the browser and the server, an installation that others can reach requires TLS. Passwords are stored as
        Argon2id hashes, session cookies cannot be read by scripts, and cards are kept by the payment provider.
      </p>

      <h2>Who can read what</h2>
      <p>
        Permissions belong to roles and are enforced by the server. Doctors and nurses see medical data; the front desk
        sees what scheduling and billing need, without medical history, allergies and medications; administrators manage
        the practice. One practice can never see another one’s records.
      </p>
      <p>
        Refused attempts are recorded with the person and the moment. Failed sign-ins slow down the account and the
        network they come from. An unattended browser is locked and signed out after an hour.
      </p>
      <p>
        The operator of an installation holds the master key. Reading encrypted data with the tools of the server is
        possible for the operator, and is recorded.
      </p>

      <h2>How the record is proven</h2>
      <p>
        Every change is stored as an entry that is never altered. A correction is another entry. The database refuses
        changes of stored entries, also by the application itself. All screens are computed from these entries and can
        be computed again, so a figure on the screen can be compared with its origin.
      </p>

      <h2>What we do not claim</h2>
      <ul className="plain">
        <li>No certificate: Everchart was not audited by a third party.</li>
        <li>
          Software alone does not make a practice compliant with HIPAA. Contracts, training and procedures are yours.
        </li>
        <li>Someone who controls the server and holds the master key can read the data.</li>
        <li>No software is free of errors. If you find one, please tell us.</li>
      </ul>
      <p>
        <MailLink subject="Security">Report a security problem</MailLink>.
      </p>
    </TextPage>
  )
}
