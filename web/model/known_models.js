/* known_models - well-known models of the hub of every family that is read, so that nobody needs to
 * know a name: megabytes of model.safetensors, as published in November 2026. Names only; whoever
 * chooses one downloads it from the hub.
 */

/** @type {{family: string, models: {name: string, megabytes: number}[]}[]} */
export const KNOWN_MODELS = [
    {
        family: 'BERT',
        models: [
            {name: 'google-bert/bert-base-uncased', megabytes: 440},
            {name: 'google-bert/bert-base-cased', megabytes: 436},
            {name: 'google-bert/bert-base-german-cased', megabytes: 439},
            {name: 'dbmdz/bert-base-turkish-cased', megabytes: 445},
            {name: 'google-bert/bert-base-chinese', megabytes: 412},
            {name: 'google-bert/bert-base-multilingual-cased', megabytes: 714},
            {name: 'sentence-transformers/all-MiniLM-L6-v2', megabytes: 91},
        ],
    },
    {family: 'DistilBERT', models: [{name: 'distilbert/distilbert-base-uncased', megabytes: 268}]},
    {
        family: 'RoBERTa, CamemBERT',
        models: [
            {name: 'FacebookAI/roberta-base', megabytes: 499},
            {name: 'almanach/camembert-base', megabytes: 445},
        ],
    },
    {family: 'ALBERT', models: [{name: 'albert/albert-base-v2', megabytes: 47}]},
    {family: 'ELECTRA', models: [{name: 'google/electra-small-discriminator', megabytes: 54}]},
    {family: 'MPNet', models: [{name: 'sentence-transformers/all-mpnet-base-v2', megabytes: 438}]},
    {family: 'ModernBERT', models: [{name: 'answerdotai/ModernBERT-base', megabytes: 599}]},
    {
        family: 'GPT-2',
        models: [
            {name: 'distilbert/distilgpt2', megabytes: 353},
            {name: 'openai-community/gpt2', megabytes: 548},
        ],
    },
    {
        family: 'GPT-NeoX',
        models: [
            {name: 'EleutherAI/pythia-70m', megabytes: 166},
            {name: 'EleutherAI/pythia-160m', megabytes: 375},
        ],
    },
    {
        family: 'Llama, Qwen',
        models: [
            {name: 'HuggingFaceTB/SmolLM2-135M', megabytes: 269},
            {name: 'Qwen/Qwen2.5-0.5B', megabytes: 988},
        ],
    },
];
