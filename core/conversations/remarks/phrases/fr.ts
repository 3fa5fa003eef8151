import type { LanguagePhrases } from './language-phrases.ts';

const TALK =
  '(?:parler|discuter|echanger|converser|chatter|tchatter|dialoguer|etre mis en relation|etre mise en relation|etre mis en contact|etre mise en contact|entrer en contact|etre en contact|etre mis en communication|communiquer)';
const HUMAN_WORDS =
  '(?:personne|humain|humaine|etre humain|agent|agente|conseiller|conseillere|operateur|operatrice|employe|employee|collaborateur|collaboratrice|responsable|representant|representante|interlocuteur|standardiste|teleconseiller)';
const ARTICLE =
  '(?:(?:un|une|le|la|l|les|des|du|de|d|votre|vos|un de vos|une de vos|l un de vos|un membre de|un membre de l|quelqu un de|quelqu un de l|quelqu un du) )*';
const ADJECTIVES = '(?:(?:vrai|vraie|veritable|reel|reelle|autre) )*';
const AFTER = '(?: (?:reel|reelle|humain|humaine|physique|vivant|vivante|en direct|en chair et en os))*';

export const french: LanguagePhrases = {
  smallTalk: {
    greeting:
      'bonjour|bonsoir|salut|coucou|hello|hey|hi|allo|bjr|slt|bonjour a tous|bonjour a vous|bien le bonjour|enchante|enchantee|re bonjour|rebonjour',
    how_are_you:
      'ca va|comment ca va|comment vas tu|comment allez vous|tu vas bien|vous allez bien|cv|la forme|quoi de neuf|comment tu vas|comment va',
    thanks:
      'merci|merci beaucoup|merci bien|mille mercis|grand merci|un grand merci|je vous remercie|je te remercie|mrc|merci infiniment|ca m a aide|cela m a aide|c est utile|tres utile|utile|tu es genial|vous etes genial|bien joue|bon travail|beau travail|je t aime|c est gentil|c est tres gentil|parfait merci',
    goodbye:
      'non merci|ca ira merci|au revoir|a bientot|a plus|a plus tard|a tout a l heure|a demain|bonne journee|bonne soiree|bonne nuit|bon week end|bye|ciao|adieu|a la prochaine|c est tout|ce sera tout|rien d autre|je dois y aller|plus de questions|salut',
    acknowledgement:
      'ok|okay|d accord|dac|dacc|parfait|super|genial|tres bien|bien|cool|compris|j ai compris|je vois|je comprends|entendu|ca marche|top|excellent|nickel|wow|lol|mdr|haha|hmm|hm|ah|ah bon|oh|c est note|note|test|ceci est un test|je teste|juste un test|rien|laisse tomber|laissez tomber|pas de probleme|pas de souci|interessant|bon a savoir|bien sur|c est bon|ouais',
    complaint:
      'quoi|comment|pardon|hein|je ne comprends pas|je comprends pas|j ai pas compris|je n ai pas compris|ca n a pas de sens|ca veut dire quoi|que voulez vous dire|repondez a ma question|reponds a ma question|tu es nul|t es nul|vous etes nul|nul|c est nul|tu es stupide|t es stupide|tu es bete|t es bete|stupide|idiot|imbecile|con|connard|conne|debile|tu es inutile|inutile|ca ne sert a rien|c est inutile|merde|ta gueule|ferme la|tais toi|va te faire foutre|putain|c est faux|faux|mauvaise reponse|ce n est pas ca|c est pas ca|ca ne m aide pas|cela ne m aide pas|ca m aide pas|pas utile|tu ne comprends pas|tu comprends rien|tu ne comprends rien|vous ne comprenez pas|vous ne comprenez rien|tu ne reponds pas a ma question|vous ne repondez pas a ma question|ce n est pas ma question|c est pas ma question|je te deteste|c est n importe quoi|n importe quoi|horrible|tu m enerves|vous vous moquez de moi|tu te moques de moi',
    asks_abilities:
      'raconte moi une blague|raconte une blague|je m ennuie|tu m aimes|epouse moi|quel age as tu|ou es tu|dis quelque chose|que peux tu faire|que peux tu faire pour moi|que pouvez vous faire|que pouvez vous faire pour moi|que sais tu faire|que savez vous faire|qu est ce que tu peux faire|qu est ce que vous pouvez faire|qu est ce que tu sais faire|tu fais quoi|tu sais faire quoi|tu peux faire quoi|comment peux tu m aider|comment pouvez vous m aider|aide|aidez moi|aide moi|a l aide|peux tu m aider|pouvez vous m aider|tu peux m aider|vous pouvez m aider|pourriez vous m aider|est ce que tu peux m aider|est ce que vous pouvez m aider|j ai besoin d aide|besoin d aide|j ai une question|j ai des questions|j aurais une question|j ai un probleme|j ai un souci|puis je vous poser une question|je peux poser une question|puis je poser une question|une question|question|c est quoi|qu est ce que c est|comment ca marche|comment ca fonctionne|que puis je demander|que puis je te demander|menu|a quoi sers tu|a quoi tu sers',
    asks_maker:
      'qui t a cree|qui t a fait|qui t a concu|qui t a developpe|qui t a programme|qui vous a cree|qui vous a fait|qui vous a concu|qui vous a developpe|qui est ton createur|qui est votre createur|pour qui travailles tu|pour qui travaillez vous|d ou viens tu|tu viens d ou|qui est derriere toi|quel modele es tu|es tu chatgpt|tu es chatgpt|es tu gpt|es tu claude|es tu siri|quelle ia es tu',
    asks_if_bot:
      'tu es la|vous etes la|es tu la|etes vous la|il y a quelqu un|y a t il quelqu un|y a quelqu un|est ce qu il y a quelqu un|quelqu un est la|quelqu un|il y a quelqu un ici|es tu un robot|es tu un bot|es tu une ia|es tu humain|es tu un humain|es tu une vraie personne|es tu une personne|es tu reel|es tu un chatbot|es tu une machine|tu es un robot|tu es un bot|tu es une ia|tu es humain|tu es un humain|tu es reel|etes vous un robot|etes vous un bot|etes vous une ia|etes vous humain|etes vous un humain|etes vous une vraie personne|etes vous une personne|etes vous reel|vous etes un robot|vous etes un bot|est ce un robot|est ce un bot|c est un robot|c est un bot|est ce que tu es un robot|est ce que vous etes un robot|est ce que tu es humain|est ce que vous etes humain|je parle a un robot|je parle a un humain|je parle avec un robot|est ce que je parle a un robot|est ce que je parle a un humain|suis je en train de parler a un robot|qui es tu|qui etes vous|tu es qui|vous etes qui|t es qui|comment tu t appelles|comment t appelles tu|comment vous appelez vous|quel est ton nom|quel est votre nom|ton nom',
  },
  fillers:
    's il vous plait|s il te plait|svp|stp|monsieur|madame|a tous|a vous|toi|vous|tu|bot|robot|beaucoup|bien|encore|tres|alors|donc|et|oui|non|mais|bon|eh bien|pour votre aide|pour ton aide|pour l aide|pour votre reponse|pour ta reponse|pour l info|pour les infos|pour tout|pour rien|l equipe|chere equipe|ca|la|sur|a|de|merci',
  intensifiers: 'vraiment|vrmt|juste|seulement|bien|donc',
  person: {
    any: `${ARTICLE}${ADJECTIVES}(?:${HUMAN_WORDS}|quelqu un|service client|service clients|support|equipe|assistance|conseillers|service apres vente)${AFTER}(?: de (?:votre|l|la) (?:equipe|service|support|service client))?`,
    human: `${ARTICLE}${ADJECTIVES}(?:${HUMAN_WORDS}|service client|service clients)${AFTER}`,
    requests: [
      `(?:je|j|nous|on) (?:(?:ne|en) )?(?:veux|voudrais|aimerais|souhaite|souhaiterais|dois|desire|desirerais|prefere|prefererais|voulons|voudrions|souhaitons|aimerions|ai besoin de|veut|voulais|aurais besoin de|aimerai|voudrai) (?:(?:bien|juste|plutot|directement|simplement) )*${TALK} (?:directement )?(?:a|avec|au|aux) ?{person}`,
      `(?:puis je|est ce que je peux|est ce que je pourrais|je peux|je pourrais|pourrais je|peut on|on peut|peux tu me faire|pouvez vous me faire|est ce qu on peut|comment puis je|comment je peux|comment peut on|comment faire pour|comment|serait il possible de|est il possible de|est ce possible de|est ce qu il est possible de|y a t il moyen de|moyen de|possible de) ${TALK} (?:directement )?(?:a|avec|au|aux) ?{person}`,
      `${TALK} (?:directement )?(?:a|avec|au|aux) ?{person}`,
      `(?:(?:pouvez vous|peux tu|pourriez vous|merci de|veuillez) )?(?:me )?(?:passez|passe|passer|mettez|mets|mettre|connectez|connecte|connecter|transferez|transfere|transferer|dirigez|diriger)(?: moi)? (?:en (?:relation|contact|communication) )?(?:(?:avec|a|vers|au) )?{person}`,
      `(?:(?:est ce que|est ce qu) )?(?:quelqu un|une personne|un conseiller|un agent|un humain) (?:peut|pourrait) (?:il |elle )?(?:m|me|nous) (?:aider|repondre|rappeler|appeler|contacter)`,
      `(?:je ne veux pas|je veux pas) (?:parler|discuter) (?:a|avec) (?:un|une|ce|cette) (?:robot|bot|machine|ia|chatbot)`,
    ],
    shortRequests: [
      `(?:rappelez|appelez|rappelle|appelle) moi`,
      `(?:je|j|nous) (?:veux|voudrais|cherche|demande|souhaite|prefere|aimerais|ai besoin) {human}`,
      `(?:donnez|donne|trouvez) moi {human}`,
      `(?:j|je) ai besoin (?:de|d) ?{human}`,
      `(?:un|une|le|la|l|agent|humain|conseiller|operateur|service)? ?{human}`,
      `(?:il y a|y a t il|y a|est ce qu il y a) (?:quelqu un|une personne|un humain|un conseiller|un agent)(?: (?:ici|la|de disponible|disponible|pour m aider|qui peut m aider))*`,
    ],
    continuations:
      'au|a|pour|concernant|car|parce|de|du|qui|pas|et|svp|s|maintenant|tout|en|sur|directement|merci|ici|plutot|ou|par',
  },
};
