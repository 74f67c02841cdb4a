/** SQL: the members of a person in `json_build_object`, without the id. */
export const PERSON = `'username', username, 'firstName', first_name, 'lastName', last_name, 'email', email`
