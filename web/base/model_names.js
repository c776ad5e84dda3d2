/* model_names - the names that a model can have in a link, a tag or the loading box: its id in the
 * menu, a repository of the Hugging Face hub (org/name, or org/name@revision), or the address of a
 * folder. Pure.
 *
 *     mini-en    google/bert_uncased_L-2_H-128_A-2    org/name@refs/pr/1    https://example.org/models/bert/
 *
 * No id has a slash. '.' and '..' are folders and no names. An address has no user name in it. The
 * address of a repository's page on the hub means that repository.
 */

/** What sentence-transformers adds to a model's folder: its steps, how it pools (the one file that
 * lies in a folder of its own), where it cuts texts (under the names that it is looked for, the first that is there), what it puts before them. */
export const MODULES = 'modules.json';
export const POOLING = '1_Pooling/config.json';
export const SENTENCE = [
    'bert',
    'roberta',
    'distilbert',
    'camembert',
    'albert',
    'xlm-roberta',
    'xlnet',
].map(name => `sentence_${name}_config.json`);
export const PROMPTS = 'config_sentence_transformers.json';

/** Where a text that the model goes on with is at its end. */
export const GENERATION = 'generation_config.json';

/** May a file of a model have this name? @param {string} name */
export const isFileName = name => name === POOLING || /^[\w-][\w.-]*$/.test(name);

/** Where repositories are looked for. Tests put a server of their own here. */
export const HUB = 'https://huggingface.co';

const ID = /^(?!\.{1,2}$)[\w.-]{0,64}$/;
const REPOSITORY = /^(\w[\w.-]{0,95}\/\w[\w.-]{0,95})(?:@(?!.*\.\.)(\w[\w./-]{0,199}))?$/;
const ADDRESS = /^https?:\/\/[^\s/?#@\\]+([/?#]\S*)?$/;
const MOST = 2000;

/** @typedef {{hub: string, host?: string}} HubSource   hub: org/name or org/name@revision; host:
 *     another one than HUB */

/** Of the menu; '' is its first. @param {string} text */
export const isId = text => ID.test(text);

/** @param {unknown} text */
export const isModel = text =>
    typeof text === 'string' &&
    text.length <= MOST &&
    (isId(text) || REPOSITORY.test(text) || ADDRESS.test(text));

/** The two parts of org/name@revision; the revision is a branch, a tag, a commit or refs/pr/N. null
 * for what is none.
 * @param {string} text */
export function splitRepository(text) {
    const [, name, revision = 'main'] = REPOSITORY.exec(text) ?? [];
    return name ? {name, revision} : null;
}

/** What an address of the hub's pages means: the repository at its beginning, and the revision after
 * /tree/, /resolve/ or /blob/; null for other addresses.
 * @param {string} text @param {string} host */
function repositoryAt(text, host) {
    if (!text.startsWith(`${host}/`)) return null;
    const [path] = text.slice(host.length + 1).split(/[?#]/);
    const [owner, name, kind = '', revision = ''] = path.split('/');
    if (!name || !['tree', 'resolve', 'blob', ''].includes(kind)) return null;
    try {
        const decoded = decodeURIComponent(revision);
        const repository = `${owner}/${name}${decoded && decoded !== 'main' ? `@${decoded}` : ''}`;
        return splitRepository(repository) ? repository : null;
    } catch {
        return null; // bad percent-encoding
    }
}

/** Where a model lies: in a repository of the hub, at an address, or (null) in the menu.
 * @param {string} text that isModel takes @param {string} [host]
 * @returns {HubSource | {url: string} | null} */
export function placeOf(text, host = HUB) {
    if (isId(text)) return null;
    const repository = splitRepository(text) ? text : repositoryAt(text, host);
    return repository ? {hub: repository} : {url: text};
}
