import type { Audience } from './who-sees-data.ts'

/** The German meaning of a table, and how long it is kept: the comment of the database and RETENTION. */
interface GermanTable {
  meaning: string
  kept: string
}

/** The German texts of tables. A test fails for a table without an entry. Columns have one language. */
export const GERMAN: Readonly<Record<string, GermanTable>> = {
  profiles: {
    meaning: 'Eine Person, wie Kolleginnen und Kollegen sie kennen.',
    kept: 'so lange wie das Konto',
  },
  daily_goals: {
    meaning: 'Das Ziel für jeden Wochentag.',
    kept: 'so lange wie das Konto; höchstens 7 Zeilen',
  },
  daily_goal_history: {
    meaning: 'Frühere Ziele, damit vergangene Tage ihres behalten.',
    kept: 'so lange wie das Konto, für die Ziele vergangener Tage; höchstens 7 Zeilen je Datum',
  },
  deeb_sessions: {
    meaning: 'Eine Fokus-Sitzung: die Zeit zwischen Ein- und Ausschalten.',
    kept: 'so lange wie das Konto, oder für `SESSIONS_KEPT_MONTHS` und bis zu 7 Tage mehr. Gelöschte Sitzungen: 8 Tage. Die letzte Berührung eines Geräts: bis die Sitzung endet oder die Frage zu einer vergessenen beantwortet ist. Die geplante Dauer: bis die Sitzung endet',
  },
  deeb_session_aliases: {
    meaning: 'Eine zweite Kennung einer Sitzung, von einem Gerät, das sie noch einmal begann.',
    kept: 'so lange wie die Sitzung; Sitzungen und zweite Kennungen zusammen: 300 Zeilen je Datum',
  },
  interruption_presses: {
    meaning: 'Ein Druck auf „unterbrochen?“, damit ein wiederholter einmal zählt.',
    kept: 'bis 8 Tage nach dem Ende der Sitzung; 1.000 Zeilen je Konto',
  },
  daily_start_counts: {
    meaning: 'Wie viele Sitzungen an einem Tag begannen, für eine Grenze gegen Missbrauch.',
    kept: '10 Tage',
  },
  daily_stats: {
    meaning: 'Die Fokuszeit eines Tages.',
    kept: 'so lange wie das Konto',
  },
  weekly_stats: {
    meaning: 'Die Fokuszeit einer Woche.',
    kept: 'so lange wie das Konto',
  },
  focus_totals: {
    meaning: 'Die gesamte Fokuszeit, für die durchschnittliche Woche.',
    kept: 'so lange wie das Konto; 1 Zeile',
  },
  user_presence: {
    meaning: 'Ob die Person gerade im deeb-Modus ist.',
    kept: 'so lange wie das Konto; 1 Zeile',
  },
  calendar_links: {
    meaning: 'Der geheime Link, über den Kalender die beendeten Fokus-Sitzungen einer Person lesen.',
    kept: 'bis die Person den Link entfernt oder ersetzt, alle anderen Geräte abmeldet, ein neues Passwort setzt oder die Adresse ändert, die Firma wechselt, gesperrt oder deaktiviert wird oder das Konto löscht; 1 Zeile',
  },
  team_connections: {
    meaning: 'Eine Anfrage zwischen zwei Personen, einander zu sehen, und ihre Antwort.',
    kept: 'bis eine Seite die Verbindung löst, die Firma verlässt oder das Konto löscht, oder bis die anfragende Person die Anfrage zurücknimmt. Eine abgelehnte Anfrage bleibt, wenn sie zurückgenommen wird und wenn eine Seite geht; 1 Zeile je Paar',
  },
  circles: {
    meaning: 'Eine Gruppe von Personen, die den deeb-Modus der anderen sehen.',
    kept: 'bis die Person, die ihn führt, oder die Administration ihn schließt, oder die letzte Person ihn verlässt',
  },
  circle_members: {
    meaning: 'Wer in einem Kreis ist.',
    kept: 'bis die Person ihn verlässt, entfernt wird, die Firma wechselt oder das Konto löscht, oder bis der Kreis geschlossen wird; höchstens 10 Zeilen je Person',
  },
  signs: {
    meaning: 'Ein Türschild: eine Seite für ein Display, die den deeb-Modus zeigt.',
    kept: '365 Tage, nachdem ein Display es zuletzt gelesen hat, oder bis es widerrufen wird, das Konto abgeschaltet wird oder die Person die Firma oder, beim Schild eines Kreises, den Kreis verlässt; höchstens 5 Zeilen je Person',
  },
  cases: {
    meaning: 'Ein Code auf der Hülle der Ohrstöpsel. Ein Tippen schaltet den deeb-Modus der Person um, der er gehört.',
    kept: 'bis die Person ihn widerruft oder das Konto löscht, höchstens 5 Zeilen je Person; ein gedruckter, den niemand übernommen hat, 730 Tage',
  },
  quiet_times: {
    meaning: 'Ein Teil einiger Wochentage, in dem die Mitglieder eines Kreises Ruhe vereinbart haben.',
    kept: 'bis sie jemand entfernt, der den Kreis führt, oder der Kreis endet; höchstens 5 Zeilen je Kreis',
  },
  quiet_members: {
    meaning: 'Wer bei den Ruhezeiten eines Kreises mitmacht. Niemand sonst kann es sehen.',
    kept: 'bis das Mitglied nicht mehr mitmacht oder den Kreis verlässt; höchstens 1 Zeile je Mitglied und Kreis',
  },
  sign_agreements: {
    meaning: 'Welche Mitglieder dem Schild eines Kreises zugestimmt haben.',
    kept: 'bis das Mitglied sie zurücknimmt, sich vor einem Mitglied verbirgt oder den Kreis verlässt, das Konto abgeschaltet wird oder das Schild endet; höchstens 1 Zeile je Mitglied und Kreis',
  },
  hidden_people: {
    meaning: 'Vor wem sich eine Person in allen Kreisen verbirgt.',
    kept: 'bis die Person sich wieder zeigt oder eine der beiden das Konto löscht',
  },
  free_alerts: {
    meaning: 'Der Wunsch, benachrichtigt zu werden, sobald eine Person frei ist.',
    kept: '4 Stunden nach dem Wunsch; sobald die andere Person frei ist, bis zur Anzeige oder 1 Tag',
  },
  knock_allowances: {
    meaning: 'Die Verbindungen und Kreise, deren Mitglieder eine Person im deeb-Modus unterbrechen dürfen.',
    kept: 'bis die Person es zurücknimmt oder die Verbindung oder Mitgliedschaft endet; höchstens 1 Zeile je Verbindung und Kreis',
  },
  knocks: {
    meaning: '„Es ist dringend“: Jemand unterbricht eine Person, die es erlaubt.',
    kept: 'bis die Antwort angezeigt wurde, höchstens 1 Stunde',
  },
  company_weeks: {
    meaning: 'Eine Woche des Firmenberichts: Summen der ganzen Firma, mit Rauschen.',
    kept: 'immer; 1 Zeile je Firma und Woche. Keine Zeile betrifft eine Person',
  },
  company_reports: {
    meaning: 'Ab wann die Wochen einer Firma gezählt werden.',
    kept: 'immer; 1 Zeile je Firma, die zehn Konten hatte. Keine Zeile betrifft eine Person',
  },
  push_subscriptions: {
    meaning: 'Wohin Mitteilungen für einen Browser geschickt werden.',
    kept: 'bis Mitteilungen ausgeschaltet werden, die Anmeldung endet oder der Dienst des Browsers sagt, dass es ihn nicht mehr gibt; höchstens 10 Zeilen je Konto',
  },
  push_messages: {
    meaning: 'Eine Mitteilung, die verschickt werden soll, ohne ihren Text.',
    kept: '1 Stunde, nachdem das Verschicken nicht mehr lohnt',
  },
  status_links: {
    meaning: 'Ein Chat, in dem eine Person ihren deeb-Modus zeigt, weil sie das möchte.',
    kept: 'bis die Person die Verbindung beendet, die Firma verlässt oder das Konto löscht, und bis zu einer Stunde länger, um den Status dort zu löschen; höchstens 5 Zeilen je Konto. Die Tokens: bis der Chat sie ablehnt',
  },
  status_signals: {
    meaning: 'Was deeb in einem Chat gesetzt hat: den Text des Status oder „Nicht stören“.',
    kept: 'so lange wie die Verbindung; höchstens 2 Zeilen je Verbindung',
  },
  webhook_endpoints: {
    meaning: 'Wohin die Person Nachrichten über ihren eigenen Fokus möchte: eine URL, die der Server aufruft.',
    kept: 'bis die Person ihn löscht; höchstens 10 Zeilen je Konto',
  },
  webhook_deliveries: {
    meaning: 'Nachrichten an diese URLs: die noch zu verschickenden und die der letzten 7 Tage.',
    kept: '7 Tage, oder bis der Webhook gelöscht wird',
  },
  webhook_goal_days: {
    meaning: 'Tage, von denen bekannt ist, dass ihr Ziel erreicht ist, damit es einmal verschickt wird.',
    kept: '7 Tage',
  },
  'auth.users': {
    meaning: 'Ein Konto.',
    kept: 'bis das Konto gelöscht wird',
  },
  'auth.identities': {
    meaning: 'Ein Weg, auf dem sich ein Konto anmeldet: per E-Mail oder mit dem Firmenkonto.',
    kept: 'so lange wie das Konto',
  },
  'auth.sessions': {
    meaning: 'Eine Anmeldung eines Browsers oder Geräts.',
    kept: '1 Tag nach ihrem Ablauf: 30 Tage ohne Besuch, 90 Tage insgesamt',
  },
  'auth.mfa_factors': {
    meaning: 'Eine Authenticator-App, oder die Notfallcodes als Ganzes.',
    kept: 'so lange wie das Konto; höchstens einige Zeilen',
  },
  'auth.mfa_challenges': {
    meaning: 'Eine Frage nach einem Code, die noch nicht beantwortet ist.',
    kept: '1 Stunde',
  },
  'auth.mfa_recovery_codes': {
    meaning: 'Ein Notfallcode, als Hash.',
    kept: 'so lange wie das Konto; höchstens 10 Zeilen',
  },
  'auth.personal_tokens': {
    meaning: 'Persönliche Zugriffstoken: Programme, die jemand deeb in seinem Namen benutzen lässt.',
    kept: 'bis 30 Tage nach dem Ablauf; höchstens 20 Zeilen pro Konto',
  },
  'auth.webauthn_credentials': {
    meaning: 'Ein Passkey.',
    kept: 'so lange wie das Konto; höchstens 10 Zeilen',
  },
  'auth.one_time_tokens': {
    meaning: 'Ein Link per E-Mail, um das Passwort oder die Adresse zu ändern, als Hash.',
    kept: '1 Tag nach seinem Ablauf',
  },
  'auth.pending_signups': {
    meaning: 'Eine Registrierung, deren Adresse noch nicht bestätigt ist.',
    kept: '7 Tage nach Ablauf ihres Links',
  },
  'auth.known_addresses': {
    meaning: 'Von wo ein Konto benutzt wurde, um Rateversuche von anderswo zu bremsen.',
    kept: '90 Tage nach dem letzten Besuch',
  },
  'auth.former_addresses': {
    meaning: 'Eine Adresse, die ein Konto früher hatte.',
    kept: 'so lange wie das Konto; eine Änderung braucht das Passwort und eine E-Mail',
  },
  'auth.audit_log': {
    meaning: 'Was mit einem Konto geschah, etwa Anmeldungen und geänderte Passwörter.',
    kept: '180 Tage',
  },
  'auth.outbox': {
    meaning: 'Eine E-Mail, die verschickt werden soll, und ob sie verschickt wurde.',
    kept: '30 Tage nachdem sie verschickt oder aufgegeben wurde',
  },
  'auth.flow_state': {
    meaning: 'Eine Anmeldung über die Firma, die noch nicht fertig ist.',
    kept: '1 Stunde',
  },
  'auth.scim_users': {
    meaning: 'Was das Verzeichnis der Firma über eine Person sagt.',
    kept: 'bis das Verzeichnis der Firma oder die Person es löscht, oder die Firma entfernt wird',
  },
  'auth.scim_tokens': {
    meaning: 'Der Zugang des Verzeichnisses einer Firma.',
    kept: 'bis er abläuft oder seine Firma entfernt wird',
  },
  'auth.sso_providers': {
    meaning: 'Der Anmeldedienst einer Firma.',
    kept: 'bis die Administration die Firma entfernt',
  },
  'auth.sso_domains': {
    meaning: 'Die E-Mail-Domains einer Firma mit eigener Anmeldung.',
    kept: 'bis die Administration die Domain oder ihre Firma entfernt',
  },
  'auth.second_factor_domains': {
    meaning: 'Die Firmen, die einen zweiten Faktor verlangen.',
    kept: 'bis die Administration ihn nicht mehr verlangt',
  },
  'auth.guesses': {
    meaning: 'Falsch geratene Passwörter, die weitere Versuche verzögern.',
    kept: '1 Tag nach dem letzten falschen Versuch; höchstens 200.000 Zeilen',
  },
  'auth.spent_tokens': {
    meaning:
      'Hashes einmaliger Antworten, und von Unterbrechungen, für die eine Grenze gilt, damit keine zweimal zählt.',
    kept: 'bis zum Ablauf: höchstens 1 Tag',
  },
  email_leads: {
    meaning: 'Eine Adresse, die jemand auf einer öffentlichen Seite hinterlassen hat.',
    kept: 'bis `visitors forget` sie löscht; 1 Zeile je Adresse und Liste',
  },
  click_analytics: {
    meaning: 'Ein Klick auf eine Schaltfläche einer öffentlichen Seite.',
    kept: '400 Tage',
  },
  status_hidden: {
    meaning: 'Ein Chat, den eine Firma nicht erlaubt.',
    kept: 'bis die Administration ihn wieder erlaubt',
  },
  status_queues: {
    meaning: 'Wie schnell dieser Server einen Workspace eines Chats aufrufen darf.',
    kept: 'immer; höchstens 2 Zeilen je Workspace',
  },
  known_secrets: {
    meaning:
      'Die Geheimnisse des Servers, zu denen diese Datenbank gehört, damit kein Server mit einem anderen startet.',
    kept: 'immer; 1 Zeile je Geheimnis',
  },
  push_keys: {
    meaning: 'Die Schlüssel, mit denen dieser Server Mitteilungen verschickt.',
    kept: 'immer; 1 Zeile',
  },
  retention_marks: {
    meaning: 'Bis wann alte Fokus-Sitzungen gelöscht wurden.',
    kept: 'immer; 1 Zeile',
  },
  schema_migrations: {
    meaning: 'Die Versionen der Tabellen.',
    kept: 'immer; 1 Zeile je Änderung der Tabellen',
  },
}

/** The words around these texts. */
export const GERMAN_TEXTS = {
  head: `# Was deeb speichert

Jede Tabelle und Spalte der Datenbank dieser Version: was sie bedeutet, wie lange sie aufbewahrt wird und wer sie sieht. Eine Vereinbarung
oder ein Verzeichnis der Verarbeitungstätigkeiten kann diese Seite als Anlage haben. Der Befehl \`deeb-admin data --language de\` gibt sie aus. Die
Bedeutung der Spalten ist auf Englisch, wie ihre Namen.

Außerhalb der Datenbank:

- **Sicherungen** enthalten dieselben Zeilen, außer der geplanten Dauer einer laufenden Sitzung. Sie bleiben, bis die Administration
  sie löscht.
- **Das Protokoll** nennt keine Person. Ein Server ohne Mailserver schreibt die Empfängeradressen in sein Protokoll und die E-Mails in
  Dateien.
- **Kalender**, die den Link einer Person lesen, behalten, was sie gelesen haben: die beendeten Sitzungen.
- **Der Browser oder die App** der Person behält, was die Bildschirme von dieser Person zeigen, bis sie sich abmeldet, und
  Schaltvorgänge, bis sie gesendet sind.

deeb speichert keine Bildschirminhalte, keine Tastatureingaben, keinen Ort, keine Namen von Programmen oder Seiten und keine
Arbeitsinhalte.

Wer eine Spalte sieht:
`,
  columns: '| Spalte | Bedeutung | Wer sie sieht |',
  kept: 'Aufbewahrt',
  legend: {
    oneself: [
      'die Person selbst',
      'die Person, um die es in der Zeile geht, in der App oder über `„Daten herunterladen“`. Bei einer Verbindung beide Personen. Sonst niemand in der Firma, auch keine Vorgesetzten.',
    ],
    'connections and circles': [
      'Verbindungen und Kreise',
      'auch Personen, die die Person angenommen hat, und die Personen im selben Kreis; von einer Fokus-Sitzung nur, solange sie läuft. Wer in der Firma den Link eines Kreises öffnet, sieht seinen Namen und die Namen darin.',
    ],
    'colleagues by search': [
      'Firma über die Suche',
      'auch alle mit einer bestätigten E-Mail-Adresse derselben Firma, über den Namen.',
    ],
    'everybody in the company, with noise': [
      'alle in der Firma, mit Rauschen',
      'alle dort sehen denselben Bericht. Keine Zeile betrifft eine Person, und der Zufall verändert jede Zahl, bevor sie gespeichert wird.',
    ],
    administrator: [
      'Administration',
      'niemand in deeb, nur wer als Administration Zugang zum Server oder zu seiner Datenbank hat. Wer ihn hat, kann auch alle anderen Zeilen lesen.',
    ],
  } satisfies Record<Audience, [string, string]>,
}
